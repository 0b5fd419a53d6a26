import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { type Ground, startCrowd } from '../ground.ts'
import { startServer } from '../server.ts'
import type { Case } from './case.ts'

const deals = 1000
const withinMs = 240_000

/**
 * A thousand deals go to a dealer whose system fails now and then, from a server that is killed meanwhile, also between a deal's
 * taking and the note of it: each arrives, and each under one id (R-deals-74).
 */
export const flakyDealer: Case = {
  name: 'dealer flaky',
  async run(ground, rounds) {
    const dealer = await startDealer()
    const server = await startServer({
      ...ground.settings,
      WEBHOOKS_PRIVATE: 'allow',
      DEALER_WEBHOOK_URL: dealer.url,
      DEALER_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
    })
    const crowd = await startCrowd(ground, server.baseUrl, 1)
    const began = performance.now()
    while ((await count(ground, 'select count(*)::int from agreement_pdfs')) === 0) await wait(200)
    const outcome = await crowd.settle()
    await copyDeal(ground.database.pool)
    for (let round = 0; round < rounds; round++) {
      await wait(500 + Math.random() * 500)
      await server.killAndRestart()
    }
    const waiting = () => count(ground, `select count(*)::int from deliveries where state = 'WAITING'`)
    while ((await waiting()) > 0 && performance.now() - began < withinMs) await wait(500)
    const { code } = await server.end()
    dealer.close()
    const { rows } = await ground.database.pool.query<{ id: string; packageId: string }>(
      `select deliveries.id, package_id as "packageId" from deliveries join deals on deals.id = deal_id`,
    )
    const broken = code === 0 ? [] : [`SIGTERM ended it with ${code}`]
    if (rows.length < deals) broken.push(`only ${rows.length} deals were there`)
    let { lost, doubled } = outcome
    for (const { id, packageId } of rows) {
      const ids = dealer.taken.get(packageId) ?? new Set()
      if (!ids.has(`msg_${id}`)) lost++
      if (ids.size > 1) doubled++
    }
    return { ...outcome, lost, doubled, rounds, recoveryMs: crowd.ledger.longestSilenceMs(), broken }
  },
}

/** Fails each third deal once, in one of three ways. `taken`: of each package the ids under which it was taken. */
async function startDealer() {
  const taken = new Map<string, Set<string>>()
  const seen = new Set<string>()
  const system = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      const id = String(request.headers['webhook-id'])
      const isFirst = !seen.has(id)
      seen.add(id)
      const way = Number.parseInt(id.slice(-2), 16) % 9
      if (isFirst && way === 0) return void response.writeHead(500).end()
      if (isFirst && way === 1) return void response.destroy()
      if (isFirst && way === 2) return void response.writeHead(302, { location: '/elsewhere' }).end()
      const { data } = JSON.parse(body) as { data: { pkgId: string } }
      taken.set(data.pkgId, (taken.get(data.pkgId) ?? new Set()).add(id))
      response.writeHead(204).end()
    })
  }).listen(0, '127.0.0.1')
  await once(system, 'listening')
  const { port } = system.address() as AddressInfo
  return { taken, url: `http://127.0.0.1:${port}/`, close: () => system.close() }
}

async function count({ database: { pool } }: Ground, question: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(question)
  return rows[0]?.count ?? 0
}

/** Of the one deal that was passed on, written by the product itself: rows like its own, under other ids, and what is left to do. */
async function copyDeal(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ id: string; carId: string; packageId: string }>(
    `select id, car_id as "carId", package_id as "packageId" from deals
     where exists (select from agreement_pdfs where agreement_pdfs.package_id = deals.package_id) limit 1`,
  )
  const [one] = rows
  if (!one) throw new Error('No deal was passed on')
  const id = (kind: string) => `${kind} || lpad(n::text, 23, '0')`
  await copyRows(pool, 'cars', `id = '${one.carId}'`, `'id', ${id(`'c'`)}, 'vin', 'COPY' || n`)
  const ofDeal = `'id', ${id(`'d'`)}, 'car_id', ${id(`'c'`)}, 'package_id', ${id(`'e'`)}`
  await copyRows(pool, 'deals', `id = '${one.id}'`, ofDeal)
  await copyRows(
    pool,
    'signatures',
    `deal_id = '${one.id}'`,
    `'id', md5(one.id || n::text)::char(24), 'deal_id', ${id(`'d'`)}`,
  )
  await copyRows(pool, 'packages', `id = '${one.packageId}'`, `'id', ${id(`'e'`)}, 'deal_id', ${id(`'d'`)}`)
  await pool.query(
    `insert into agreement_pdfs (package_id, size, bytes, digest)
     select ${id(`'e'`)}, size, bytes, digest from agreement_pdfs, generate_series(1, ${deals}) n where package_id = $1`,
    [one.packageId],
  )
  await copyRows(
    pool,
    'deliveries',
    `deal_id = '${one.id}'`,
    `'id', md5('delivery' || n::text)::char(24), 'deal_id', ${id(`'d'`)}, 'state', 'WAITING', 'ended_at', null, 'tries', 0`,
  )
  await pool.query(
    `insert into jobs (name, key, payload)
     select 'deliver-deal', 'deliver ' || ${id(`'d'`)}, jsonb_build_object('dealId', ${id(`'d'`)}) from generate_series(1, ${deals}) n`,
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
