import { runBeside } from './beside.mjs'

// `npm run backup -- FOLDER`: database, photos and keys of one moment, in a folder of its own below that one.
await runBeside('backup')
