import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { aWebhookReceiver } from '../../test/dealers/webhook-receiver.ts'
import { countRows, startCrowd } from '../ground.ts'
import { startServer } from '../server.ts'
import type { Case } from './case.ts'

const deals = 1000
const withinMs = 240_000
const patienceMs = 30_000

/**
 * A thousand deals go to a dealer whose system fails now and then, from a server that is killed each round after a deal was taken
 * and before it is noted: each arrives, and each under one id (R-deals-74).
 */
export const flakyDealer: Case = {
  name: 'dealer flaky',
  async run(ground, rounds) {
    const dealer = await startDealer()
    const server = await startServer({
      ...ground.settings,
      DEALER_WEBHOOK_URL: dealer.url,
    })
    const crowd = await startCrowd(ground, server.baseUrl, 1)
    while ((await countRows(ground, 'agreement_pdfs')) === 0) await wait(200)
    const outcome = await crowd.settle({ ...ground.outside, taken: null })
    await copyDeal(ground.database.pool)
    const began = performance.now()
    const unheard: string[] = []
    for (let round = 0; round < rounds; round++) {
      await wait(500 + Math.random() * 500)
      const id = await Promise.race([dealer.takesWithoutAnswer(), wait(patienceMs, null)])
      if (id === null) break
      unheard.push(id)
      await server.killAndRestart()
    }
    const waiting = () => countRows(ground, `deliveries where state = 'WAITING'`)
    while ((await waiting()) > 0 && performance.now() - began < withinMs) await wait(500)
    const seconds = Math.round((performance.now() - began) / 1000)
    const { code } = await server.end()
    await dealer.close()
    const broken = code === 0 ? [] : [`SIGTERM ended it with ${code}`]
    const { lost, doubled, sent } = await compare(ground.database.pool, dealer.taken)
    if (sent < deals) broken.push(`only ${sent} deals were there`)
    if (unheard.length < rounds) broken.push(`only ${unheard.length} kills, then no deal was left`)
    for (const id of unheard)
      if ((dealer.times.get(id) ?? 0) < 2) broken.push(`${id} was not sent again after the server was killed`)
    const again = [...dealer.times.values()].filter((times) => times > 1).length
    console.error(
      `${sent} deals in ${seconds} s, ${unheard.length} kills, ${dealer.failed()} failures, ${again} taken again`,
    )
    return {
      ...outcome,
      lost: outcome.lost + lost,
      doubled: outcome.doubled + doubled,
      rounds,
      recoveryMs: crowd.ledger.longestSilenceMs(),
      broken,
    }
  },
}

/** Lost: not taken, or not noted as taken. Doubled: taken under two ids. */
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
 * Fails each third deal once, in one of three ways. `taken`: of each package the ids under which it was taken; `times`: how often
 * each id was.
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
      // Whoever waits for it kills the sender: no answer comes.
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
    /** Takes the next one and keeps silent about it. */
    takesWithoutAnswer: () =>
      new Promise<string>((resolve) => {
        hold = (id) => {
          hold = null
          resolve(id)
        }
      }),
  }
}

/** Of the one deal that was passed on, written by the product itself: rows like its own, under other ids, and what is left to do. */
async function copyDeal(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ id: string; carId: string; packageId: string }>(
    `select id, car_id as "carId", package_id as "packageId" from deals
     where exists (select from agreement_pdfs where agreement_pdfs.package_id = deals.package_id) limit 1`,
  )
  const [one] = rows
  if (!one) throw new Error('No deal was passed on')
  const id = (kind: string) => `'${kind}' || lpad(n::text, 23, '0')`
  const ofDeal = `'deal_id', ${id('d')}`
  const ofPackage = `'package_id', ${id('e')}`
  const which = `deal_id = '${one.id}'`
  await copyRows(pool, 'cars', `id = '${one.carId}'`, `'id', ${id('c')}, 'vin', 'COPY' || n`)
  await copyRows(pool, 'deals', `id = '${one.id}'`, `'id', ${id('d')}, 'car_id', ${id('c')}, ${ofPackage}`)
  await copyRows(pool, 'signatures', which, `'id', left(md5(one.id || n::text), 24), ${ofDeal}`)
  await copyRows(pool, 'packages', which, `'id', ${id('e')}, ${ofDeal}`)
  await copyRows(pool, 'agreement_pdfs', `package_id = '${one.packageId}'`, ofPackage)
  await copyRows(
    pool,
    'deliveries',
    which,
    `'id', left(md5('delivery' || n::text), 24), ${ofDeal}, 'state', 'WAITING', 'ended_at', null, 'tries', 0`,
  )
  await pool.query(
    `insert into jobs (name, key, payload)
     select 'deliver-deal', 'deliver ' || ${id('d')}, jsonb_build_object('dealId', ${id('d')}) from generate_series(1, ${deals}) n`,
  )
}

async function copyRows(pool: pg.Pool, table: string, which: string, changes: string): Promise<void> {
  const { rows } = await pool.query<{ columns: string }>(
    `select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
     where table_name = $1 and is_generated = 'NEVER' and is_identity = 'NO'`,
    [table],
  )
  const columns = rows[0]?.columns
  await pool.query(
    `insert into ${table} (${columns})
     select ${columns} from (
       select (jsonb_populate_record(one, jsonb_build_object(${changes}))).*
       from ${table} one, generate_series(1, ${deals}) n where one.${which}) copied`,
  )
}
