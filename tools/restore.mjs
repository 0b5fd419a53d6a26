import { runBeside } from './beside.mjs'

// `npm run restore -- BACKUP`: puts a backup where nothing is.
await runBeside('restore')
