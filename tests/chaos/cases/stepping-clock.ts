import { setTimeout as wait } from 'node:timers/promises'
import { whileSelling } from '../case.ts'
import { setClock } from '../clock.ts'

const hour = 3600

/**
 * The database's clock jumps an hour ahead and back, then an hour behind and back, during sales.
 */
export const steppingClock = whileSelling('clock steps', async ({ ground, open, eachRound }) => {
  const { crowd } = await open()
  // The dealer's clock would differ by an hour, and its signatures are valid for minutes.
  crowd.where.isDealerSilent = true
  await eachRound(async (round) => {
    await wait(1000)
    await setClock(ground, round % 2 === 0 ? hour : -hour)
    await wait(1500)
    await setClock(ground, 0)
  })
  await wait(1000)
})
