import { startBench } from './start.mjs'

// `npm run bench:reads`: compares the reads of a primary with a standby to those of a primary alone,
// on two PostgreSQL with temporary data.
await startBench('bench/reads/main.ts')
