import { startLongBench } from './start.mjs'

// `npm run bench:sales`: measures the bytes of a signed sale, and what retention removes from a
// year of sales.
await startLongBench('bench/sales/main.ts')
