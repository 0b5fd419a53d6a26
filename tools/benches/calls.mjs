import { startBench } from './start.mjs'

// `npm run bench`: everything in one run, on an embedded PostgreSQL with its own data.
await startBench('bench/main.ts')
