import { setTimeout as wait } from 'node:timers/promises'
import { defineCase } from '../case.ts'

const togetherMs = 8000
/** Short enough that each sale uses both versions. */
const turnMs = 300

/**
 * A rolling upgrade: this version starts and migrates while the earlier one serves. Both serve for
 * a while, and then only this one.
 */
export const twoVersions = (before: string) =>
  defineCase(
    'two versions',
    async ({ violations, open, startServer }) => {
      const { server: old, workload } = await open({ main: before })
      await wait(2000)
      const current = await startServer()
      for (let passed = 0; passed < togetherMs; passed += turnMs) {
        workload.target.baseUrl = (passed / turnMs) % 2 === 0 ? current.baseUrl : old.baseUrl
        await wait(turnMs)
      }
      for (const { baseUrl, measure: time } of [old, current]) {
        const { status } = await time('/health/ready', 10_000)
        if (status !== 200)
          violations.push(`the ${baseUrl === old.baseUrl ? 'earlier' : 'current'} version is not ready`)
      }
      workload.target.baseUrl = current.baseUrl
      await old.stop()
      await wait(2000)
    },
    { maxRounds: 1 },
  )
