import { setTimeout as wait } from 'node:timers/promises'
import { type Case, whileSelling } from '../case.ts'
import { openOwnDatabase } from '../own-database.ts'

/** SIGKILL of PostgreSQL under load; it restarts on the same folder. */
export const killedDatabase = killing('database killed', false)

/** Kills PostgreSQL and the server at once, as in a power failure. */
export const killedBoth = killing('both killed', true)

function killing(name: string, isBoth: boolean): Case {
  return whileSelling(name, async ({ open, eachRound, atEnd }) => {
    const own = await openOwnDatabase()
    atEnd(own.close)
    const { server } = await open(own)
    await eachRound(async () => {
      await wait(1500 + Math.random() * 500)
      own.kill()
      if (isBoth) await server.kill()
      await own.restart()
      if (isBoth) await server.restart()
    })
    await wait(1500)
  })
}
