import { startBench } from './start.mjs'

// `npm run bench:live`: measures thousands of open pages on one process and on two, on an embedded
// PostgreSQL with temporary data.
await startBench('bench/live/main.ts')
