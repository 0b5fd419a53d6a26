import { runBeside } from './beside.mjs'

// `npm run verify-agreements -- HEAD...`: whether all evidence in the database is what was written, and still has the heads that were kept.
await runBeside('verify-agreements')
