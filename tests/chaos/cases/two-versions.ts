import { setTimeout as wait } from 'node:timers/promises'
import { whileSelling } from './case.ts'

const togetherMs = 8000
/** Each person meets both, in the middle of a sale. */
const turnMs = 300

/** A rolling upgrade: the server before serves, this one begins beside it and migrates, both serve, and this one goes on alone. */
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
