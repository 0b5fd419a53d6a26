import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { quantile } from '../../../bench/database.ts'
import { defineCase } from '../case.ts'
import type { GarbageReport } from '../garbage-sender.ts'

const perSecond = 20
const secondsOfRound = 10
const probeEveryMs = 50
const boundMs = 100
const sender = new URL('../garbage-sender.ts', import.meta.url).pathname

/**
 * Sends 500 kB of garbage 20 times a second to each endpoint that needs no authentication, as if
 * from many addresses, so that no rate limit applies. 95 of 100 `/health/live` requests must take
 * at most 100 ms, and sales continue.
 */
export const garbage = defineCase('garbage', async ({ open, violations, rounds }) => {
  const { server } = await open({ groups: 1 })
  await wait(2000)
  const over = new AbortController()
  const probing = probe(server.baseUrl, over.signal)
  const report = await sendGarbage(new URL(server.baseUrl).port, rounds * secondsOfRound)
  over.abort()
  const p95 = quantile(await probing, 0.95)
  console.error(
    `/health/live p95 ${p95.toFixed(0)} ms; ` +
      `${report.sent} of ${report.due} sent, lag of the sender p95 ${report.lagMs} ms, ${JSON.stringify(report.statuses)}`,
  )
  if (p95 > boundMs) violations.push(`/health/live took ${p95.toFixed(0)} ms (p95)`)
  if (report.sent < report.due * 0.95)
    violations.push(`the sender was starved: ${report.sent} of ${report.due} sent`)
})

async function sendGarbage(port: string, seconds: number): Promise<GarbageReport> {
  const child = fork(sender, [port, String(seconds), String(perSecond)])
  const ended = once(child, 'exit').then(([code]) =>
    Promise.reject(new Error(`The sender ended with ${code}`)),
  )
  const [report] = await Promise.race([once(child, 'message'), ended])
  return report as GarbageReport
}

/** Sends a request every 50 ms without waiting for earlier ones. Returns durations in ms. */
async function probe(baseUrl: string, over: AbortSignal): Promise<number[]> {
  const asked: Promise<number>[] = []
  while (!over.aborted) {
    const began = performance.now()
    asked.push(
      fetch(`${baseUrl}/health/live`, { signal: AbortSignal.timeout(10_000) })
        .then((response) => response.text())
        .then(
          () => performance.now() - began,
          () => Number.POSITIVE_INFINITY,
        ),
    )
    await wait(probeEveryMs)
  }
  return Promise.all(asked)
}
