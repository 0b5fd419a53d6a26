import { createHash } from 'node:crypto'
import type pg from 'pg'
import { migrate } from '../../db/migrate.ts'
import type { Person } from '../../faults/sales.ts'
import { cookieOf } from '../scale/examples.ts'
import { fillWorld } from '../scale/world.ts'
import type { Couple } from './sale.ts'

/** As many buyers, and a fifth as many sellers. */
const cars = 100_000

/** Whom and what a day finds: trades that wait for an offer, and cars that anybody may look at. */
export type Town = { trades: string[]; listed: { sellerId: string; vin: string }[] }

export async function fillTown(pool: pg.Pool, url: string, trades: number): Promise<Town> {
  await migrate(pool, new URL('../../db/migrations/', import.meta.url))
  await fillWorld(url, cars)
  // What was filled in waits for nobody: neither work nor devices somewhere else, and no mailbox that sends back.
  await pool.query('truncate jobs; truncate mail_bounces; truncate push_devices cascade')
  // Who signed in a day ago is asked for the password before a signature.
  await pool.query(`update sessions set signed_in_at = now() where ended_at is null`)
  const pending = await pool.query<{ id: string }>(
    `select id from trades where status = 'PENDING' order by id limit $1`,
    [trades],
  )
  const listed = await pool.query<Town['listed'][number]>(
    `select seller_id as "sellerId", vin from cars where deleted_at is null and completed_at is null order by id limit 2000`,
  )
  return { trades: pending.rows.map(({ id }) => id), listed: listed.rows }
}

/** Of those filled in every third has signed out. */
const signedIn = (n: number): number => n + Math.floor(n / 2) + 1

export function coupleOf(n: number): Couple {
  return { seller: personOf('S', signedIn(n)), buyer: personOf('B', signedIn(n)) }
}
const personOf = (kind: string, number: number): Person => ({
  id: createHash('md5').update(`${kind}${number}`).digest('hex').slice(0, 24),
  cookie: cookieOf(`${kind.toLowerCase()}${number}@example.com`),
})

export const wholesalers = 33
export const wholesalerCookie = (n: number): string => cookieOf(`w${signedIn(n % wholesalers)}@example.com`)
