import { startBench } from './start.mjs'

// `npm run bench`: endpoints beside a minimal server and Express, on an embedded PostgreSQL with temporary data.
await startBench('bench/main.ts')
