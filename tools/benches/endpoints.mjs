import { startBench } from './start.mjs'

// `npm run bench`: compares endpoints with a minimal server and Express, on an embedded PostgreSQL
// with temporary data.
await startBench('bench/main.ts')
