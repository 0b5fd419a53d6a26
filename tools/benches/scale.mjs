import { startLongBench } from './start.mjs'

// `npm run bench:scale`: each call among a thousand cars and among a million, on an embedded PostgreSQL with its own data.
await startLongBench('bench/scale/main.ts')
