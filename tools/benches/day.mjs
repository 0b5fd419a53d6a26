import { startLongBench } from './start.mjs'

// `npm run bench:day`: a day of a national group in ten minutes, on an embedded PostgreSQL with its own data.
await startLongBench('server/bench/day/main.ts')
