import { startLongBench } from './start.mjs'

// `npm run bench:scale`: measures each endpoint with a thousand cars and with a million, on an
// embedded PostgreSQL with temporary data.
await startLongBench('bench/scale/main.ts')
