import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { aWebhookReceiver } from '../../support/dealers/webhook-receiver.ts'
import { whileSelling } from '../case.ts'
import { countRows } from '../setup.ts'

const withinMs = 180_000
const patienceMs = 30_000

/**
 * A dealer's system fails at times, and the server is killed each round between acceptance of a
 * deal and its record. Each deal arrives under exactly one id (R-deals-74).
 */
export const flakyDealer = whileSelling('dealer flaky', async (stage) => {
  const { ground, broken } = stage
  const dealer = await startDealer()
  stage.atEnd(dealer.close)
  const unheard: string[] = []
  const { server } = await stage.open({
    settings: { DEALER_WEBHOOK_URL: dealer.url },
    heard: { ...ground.outside, taken: null },
    async onSettled(outcome) {
      const until = performance.now() + withinMs
      const waiting = () => countRows(ground, `deliveries where state = 'WAITING'`)
      while ((await waiting()) > 0 && performance.now() < until) await wait(500)
      const { lost, doubled, sent } = await compare(ground.database.pool, dealer.taken)
      outcome.lost += lost
      outcome.doubled += doubled
      for (const id of unheard)
        if ((dealer.times.get(id) ?? 0) < 2)
          broken.push(`${id} was not sent again after the server was killed`)
      const again = [...dealer.times.values()].filter((times) => times > 1).length
      console.error(
        `${sent} deals, ${unheard.length} kills, ${dealer.failed()} failures, ${again} taken again`,
      )
    },
  })
  await stage.eachRound(async () => {
    await wait(1500 + Math.random() * 500)
    const id = await Promise.race([dealer.takesWithoutAnswer(), wait(patienceMs, null)])
    if (id === null) return void broken.push('no deal was handed over')
    unheard.push(id)
    await server.killAndRestart()
  })
  await wait(1500)
})

/** Lost: not accepted, or not recorded as accepted. Doubled: accepted under two ids. */
async function compare(pool: pg.Pool, taken: ReadonlyMap<string, ReadonlySet<string>>) {
  const { rows } = await pool.query<{ id: string; packageId: string; state: string }>(
    `select deliveries.id, package_id as "packageId", state from deliveries join deals on deals.id = deal_id`,
  )
  const isLost = ({ id, packageId, state }: (typeof rows)[number]) =>
    state !== 'DELIVERED' || !taken.get(packageId)?.has(`msg_${id}`)
  return {
    sent: rows.length,
    lost: rows.filter(isLost).length,
    doubled: [...taken.values()].filter((ids) => ids.size > 1).length,
  }
}

/**
 * Fails every third deal once, in one of three ways. `taken` maps each package to the ids it was
 * accepted under; `times` counts each id.
 */
async function startDealer() {
  const taken = new Map<string, Set<string>>()
  const times = new Map<string, number>()
  const failed = new Set<string>()
  let hold: ((id: string) => void) | null = null
  const failures = [
    (response: ServerResponse) => response.writeHead(500).end(),
    (response: ServerResponse) => response.destroy(),
    (response: ServerResponse) => response.writeHead(302, { location: '/elsewhere' }).end(),
  ]
  const { url, close } = await aWebhookReceiver(
    (response, { id, body }) => {
      const fail = failures[Number.parseInt(id.slice(-2), 16) % 9]
      if (fail && !failed.has(id)) {
        failed.add(id)
        return void fail(response)
      }
      const { data } = JSON.parse(body) as { data: { pkgId: string } }
      taken.set(data.pkgId, (taken.get(data.pkgId) ?? new Set()).add(id))
      times.set(id, (times.get(id) ?? 0) + 1)
      // The caller kills the sender while this request has no response.
      if (hold) hold(id)
      else response.writeHead(204).end()
    },
    { stays: true },
  )
  return {
    taken,
    times,
    failed: () => failed.size,
    url,
    close,
    /** Accepts the next delivery without responding. */
    takesWithoutAnswer: () =>
      new Promise<string>((resolve) => {
        hold = (id) => {
          hold = null
          resolve(id)
        }
      }),
  }
}
