import { startLongBench } from './start.mjs'

// `npm run bench:scale`: each endpoint with a thousand cars and with a million, on an embedded
// PostgreSQL with temporary data.
await startLongBench('bench/scale/main.ts')
