import { randomUUID } from 'node:crypto'
import { Agent } from 'node:http'
import type pg from 'pg'
import { sendOne, startSteadily } from '../live/steady.ts'
import type { Shot } from '../load.ts'
import type { Running } from '../server-process.ts'
import { cookieOf, type Examples, findExamples } from './examples.ts'

/** As many as a large day has, and no more: what is looked at is what they leave behind. */
const perSecond = 40
const people = 4_000

type Table = {
  table: string
  added: number
  changed: number
  hot: number
  taken: number
  dead: number
  vacuums: number
  rowsMb: number
  indexesMb: number
}

/** Changes of a few thousand deals for so many minutes; gives, as lines, what became of the tables. */
export async function churn(pool: pg.Pool, { port }: Running, minutes: number): Promise<string[]> {
  const { listed } = await findExamples(pool, people)
  const before = await tablesOf(pool)
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const end = performance.now() + minutes * 60_000
  const took = await startSteadily(
    perSecond,
    () => performance.now() < end,
    (i) => sendOne(agent, { port, ...changeOf(listed, i) }),
  )
  agent.destroy()
  const after = await tablesOf(pool)
  return [
    `\n${took.length.toLocaleString('en-US')} changes of ${listed.length.toLocaleString('en-US')} deals in ${minutes} minutes\n`,
    line('', ['added', 'changed', 'in place', 'taken', 'dead now', 'vacuums', 'rows MB', 'indexes MB']),
    ...after.flatMap((now) => {
      const then = before.find(({ table }) => table === now.table)
      if (!then || now.added + now.changed + now.taken - then.added - then.changed - then.taken < 100)
        return []
      const more = (what: keyof Omit<Table, 'table'>, digits = 0) => (now[what] - then[what]).toFixed(digits)
      const size = (what: 'rowsMb' | 'indexesMb') => `${now[what].toFixed(0)} (+${more(what, 1)})`
      return line(now.table, [
        more('added'),
        more('changed'),
        `${((100 * (now.hot - then.hot)) / Math.max(1, now.changed - then.changed)).toFixed(0)} %`,
        more('taken'),
        String(now.dead),
        more('vacuums'),
        size('rowsMb'),
        size('indexesMb'),
      ])
    }),
  ]
}

const line = (name: string, cells: string[]) =>
  name.padEnd(22) + cells.map((cell, at) => cell.padStart(at < 6 ? 10 : 18)).join('')

async function tablesOf(pool: pg.Pool): Promise<Table[]> {
  const { rows } = await pool.query<Table>(`
    select relname as table, n_tup_ins::float8 as added, n_tup_upd::float8 as changed, n_tup_hot_upd::float8 as hot,
      n_tup_del::float8 as taken, n_dead_tup::float8 as dead, autovacuum_count::float8 as vacuums,
      pg_table_size(relid) / 1048576.0::float8 as "rowsMb", pg_indexes_size(relid) / 1048576.0::float8 as "indexesMb"
    from pg_stat_user_tables order by n_tup_ins + n_tup_upd + n_tup_del desc`)
  return rows
}

/** What people change most, each of another deal than the one before. */
function changeOf(deals: Examples['listed'], i: number): Shot {
  const deal = deals[i % deals.length]
  if (!deal) throw new Error('The world is too small to be changed')
  const [seller, buyer] = [cookieOf(deal.sellerEmail), cookieOf(deal.buyerEmail)]
  const change = (method: string, path: string, cookie: string, body: object): Shot => ({
    method,
    path,
    headers: {
      cookie,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
      'sec-fetch-site': 'same-origin',
    },
    body: JSON.stringify(body),
  })
  switch (Math.floor(i / deals.length + i) % 4) {
    case 0:
      return change('PUT', `/cars/update-price/${deal.carId}`, seller, { newPrice: 5000 + (i % 5000) })
    case 1:
      return change('PUT', `/cars/describe/${deal.carId}`, seller, { description: `Description ${i}` })
    case 2:
      return change('PATCH', '/user/edit', buyer, { firstName: `P${String.fromCharCode(97 + (i % 26))}` })
    default:
      return change('POST', `/messages/${deal.dealId}`, buyer, { text: `Message ${i}` })
  }
}
