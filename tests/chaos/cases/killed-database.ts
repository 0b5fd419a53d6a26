import { setTimeout as wait } from 'node:timers/promises'
import { type Case, defineCase } from '../case.ts'
import { startSeparateDatabase } from '../separate-database.ts'

/** SIGKILL of PostgreSQL under load; it restarts on the same folder. */
export const killedDatabase = defineKill('database killed', false)

/** Kills PostgreSQL and the server at the same time, as in a power failure. */
export const killedBoth = defineKill('both killed', true)

function defineKill(name: string, isBoth: boolean): Case {
  return defineCase(name, async ({ open, eachRound, onCleanup }) => {
    const separate = await startSeparateDatabase()
    onCleanup(separate.close)
    const { server } = await open(separate)
    await eachRound(async () => {
      await wait(1500 + Math.random() * 500)
      separate.kill()
      if (isBoth) await server.kill()
      await separate.restart()
      if (isBoth) await server.restart()
    })
    await wait(1500)
  })
}
