import { setTimeout as wait } from 'node:timers/promises'
import { whileSelling } from '../case.ts'

const togetherMs = 8000
/** Short enough that each person meets both versions during a sale. */
const turnMs = 300

/**
 * A rolling upgrade: this version starts and migrates while the previous one serves, both serve,
 * then this one continues alone.
 */
export const twoVersions = (before: string) =>
  whileSelling(
    'two versions',
    async ({ broken, open, startServer }) => {
      const { server: old, crowd } = await open({ main: before })
      await wait(2000)
      const present = await startServer()
      for (let passed = 0; passed < togetherMs; passed += turnMs) {
        crowd.where.baseUrl = (passed / turnMs) % 2 === 0 ? present.baseUrl : old.baseUrl
        await wait(turnMs)
      }
      for (const { baseUrl, time } of [old, present]) {
        const { status } = await time('/health/ready', 10_000)
        if (status !== 200)
          broken.push(`${baseUrl === old.baseUrl ? 'the earlier' : 'this'} one is not ready`)
      }
      crowd.where.baseUrl = present.baseUrl
      await old.end()
      await wait(2000)
    },
    { maxRounds: 1 },
  )
