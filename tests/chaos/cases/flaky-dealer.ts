import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { startWebhookReceiver } from '../../support/dealers/webhook-receiver.ts'
import { defineCase } from '../case.ts'
import { countRows } from '../setup.ts'

const deliveryMs = 180_000
const waitMs = 30_000

/**
 * A dealer's system fails at times. In each round, the server is killed after the dealer has
 * accepted a deal and before it responds. Each deal arrives under exactly one id (R-deals-74).
 */
export const flakyDealer = defineCase('dealer flaky', async (context) => {
  const { environment, violations } = context
  const dealer = await startDealer()
  context.onCleanup(dealer.close)
  const unacknowledged: string[] = []
  const { server } = await context.open({
    settings: { DEALER_WEBHOOK_URL: dealer.url },
    received: { ...environment.external, deliveries: null },
    async onFinished(outcome) {
      const until = performance.now() + deliveryMs
      const waiting = () => countRows(environment, `deliveries where state = 'WAITING'`)
      while ((await waiting()) > 0 && performance.now() < until) await wait(500)
      const { lost, doubled, sent } = await compare(environment.database.pool, dealer.accepted)
      outcome.lost += lost
      outcome.doubled += doubled
      for (const id of unacknowledged)
        if ((dealer.times.get(id) ?? 0) < 2)
          violations.push(`${id} was not sent again after the server was killed`)
      const again = [...dealer.times.values()].filter((times) => times > 1).length
      console.error(
        `${sent} deals, ${unacknowledged.length} kills, ${dealer.failed()} failures, ${again} accepted again`,
      )
    },
  })
  await context.eachRound(async () => {
    await wait(1500 + Math.random() * 500)
    const id = await Promise.race([dealer.acceptWithoutResponse(), wait(waitMs, null)])
    if (id === null) return void violations.push('no deal was delivered')
    unacknowledged.push(id)
    await server.killAndRestart()
  })
  await wait(1500)
})

/** Lost: not accepted, or not recorded as accepted. Doubled: accepted under two ids. */
async function compare(pool: pg.Pool, accepted: ReadonlyMap<string, ReadonlySet<string>>) {
  const { rows } = await pool.query<{ id: string; packageId: string; state: string }>(
    `select deliveries.id, package_id as "packageId", state from deliveries join deals on deals.id = deal_id`,
  )
  const isLost = ({ id, packageId, state }: (typeof rows)[number]) =>
    state !== 'DELIVERED' || !accepted.get(packageId)?.has(`msg_${id}`)
  return {
    sent: rows.length,
    lost: rows.filter(isLost).length,
    doubled: [...accepted.values()].filter((ids) => ids.size > 1).length,
  }
}

/**
 * Fails one in three deliveries once, in one of three ways. `accepted` maps each package to the ids
 * it was accepted under; `times` counts each id.
 */
async function startDealer() {
  const accepted = new Map<string, Set<string>>()
  const times = new Map<string, number>()
  const failed = new Set<string>()
  let hold: ((id: string) => void) | null = null
  const failures = [
    (response: ServerResponse) => response.writeHead(500).end(),
    (response: ServerResponse) => response.destroy(),
    (response: ServerResponse) => response.writeHead(302, { location: '/elsewhere' }).end(),
  ]
  const { url, close } = await startWebhookReceiver(
    (response, { id, body }) => {
      const fail = failures[Number.parseInt(id.slice(-2), 16) % 9]
      if (fail && !failed.has(id)) {
        failed.add(id)
        return void fail(response)
      }
      const { data } = JSON.parse(body) as { data: { pkgId: string } }
      accepted.set(data.pkgId, (accepted.get(data.pkgId) ?? new Set()).add(id))
      times.set(id, (times.get(id) ?? 0) + 1)
      // The case kills the sender while it waits for this response.
      if (hold) hold(id)
      else response.writeHead(204).end()
    },
    { stays: true },
  )
  return {
    accepted,
    times,
    failed: () => failed.size,
    url,
    close,
    /** Accepts the next delivery without responding. */
    acceptWithoutResponse: () =>
      new Promise<string>((resolve) => {
        hold = (id) => {
          hold = null
          resolve(id)
        }
      }),
  }
}
