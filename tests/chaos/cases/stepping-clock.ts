import { setTimeout as wait } from 'node:timers/promises'
import { defineCase } from '../case.ts'
import { setClock } from '../clock.ts'

const hour = 3600

/**
 * The database's clock jumps an hour ahead and back, then an hour behind and back, during sales.
 */
export const steppingClock = defineCase('clock steps', async ({ environment, open, eachRound }) => {
  const { workload } = await open()
  // The dealer's clock would be off by an hour, and its signatures are valid for only a few
  // minutes.
  workload.target.hasNoDealerSteps = true
  await eachRound(async (round) => {
    await wait(1000)
    await setClock(environment, round % 2 === 0 ? hour : -hour)
    await wait(1500)
    await setClock(environment, 0)
  })
  await wait(1000)
})
