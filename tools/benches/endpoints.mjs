import { startBench } from './start.mjs'

// `npm run bench`: runs all on an embedded PostgreSQL with scratch data.
await startBench('bench/main.ts')
