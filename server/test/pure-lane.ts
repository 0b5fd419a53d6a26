import { onLeavingTheThread } from './lane.ts'

// Before each file of the pure tests: what they may not do fails where it is done.

onLeavingTheThread((what) => {
  throw new Error(`A pure test ${what}. Name the file *.test.ts in server/, and it runs with a database.`)
})
