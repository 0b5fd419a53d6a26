import { setTimeout as wait } from 'node:timers/promises'
import { startCrowd } from '../ground.ts'
import { startServer } from '../server.ts'
import type { Case } from './case.ts'

const togetherMs = 8000
/** Each person meets both, in the middle of a sale. */
const turnMs = 300

/** A rolling upgrade: the server before serves, this one begins beside it and migrates, both serve, and this one goes on alone. */
export const twoVersions = (before: string): Case => ({
  name: 'two versions',
  async run(ground) {
    const old = await startServer(ground.settings, before)
    const crowd = await startCrowd(ground, old.baseUrl, 6)
    await wait(2000)
    const present = await startServer(ground.settings)
    const broken: string[] = []
    for (let passed = 0; passed < togetherMs; passed += turnMs) {
      crowd.where.baseUrl = (passed / turnMs) % 2 === 0 ? present.baseUrl : old.baseUrl
      await wait(turnMs)
    }
    for (const { baseUrl, time } of [old, present]) {
      const { status } = await time('/health/ready', 10_000)
      if (status !== 200) broken.push(`${baseUrl === old.baseUrl ? 'the earlier' : 'this'} one is not ready`)
    }
    crowd.where.baseUrl = present.baseUrl
    const ends = [await old.end()]
    await wait(2000)
    const outcome = await crowd.settle()
    ends.push(await present.end())
    for (const { code } of ends) if (code !== 0) broken.push(`SIGTERM ended one with ${code}`)
    return { ...outcome, rounds: 1, recoveryMs: crowd.ledger.longestSilenceMs(), broken }
  },
})
