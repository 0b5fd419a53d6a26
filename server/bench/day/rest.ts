import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'

/** A mail is held for two minutes, in which others of the same deal may join it; then the line is worked off. */
const longestMs = 300_000

export type Rest = {
  /** What still waits, in words; empty where nothing does. */
  left: string[]
  seconds: number
  mails: string
  deliveries: string
}

/** Waits until the mails and deliveries of this day have left, and says what became of them. */
export async function waitForRest(pool: pg.Pool, since: Date): Promise<Rest> {
  const began = performance.now()
  for (;;) {
    const left = await whatWaits(pool, since)
    const ms = performance.now() - began
    if (left.length === 0 || ms > longestMs)
      return {
        left,
        seconds: ms / 1000,
        mails: await counted(pool, since, mailStates),
        deliveries: await counted(pool, since, deliveryStates),
      }
    await pause(1000)
  }
}

async function whatWaits(pool: pg.Pool, since: Date): Promise<string[]> {
  const { rows } = await pool.query<{ line: string }>(
    `select concat(count(*), ' mails wait', ', ' || max(failed_because)) as line from mails
       where created_at >= $1 and sent_at is null and joined_into is null having count(*) > 0
     union all select concat(count(*), ' deliveries are ', state) from deliveries
       where created_at >= $1 and state <> 'DELIVERED' group by state
     union all select concat(count(*), ' jobs ', name, ' failed: ', max(failed_because)) from jobs
       where failed_because <> '' group by name`,
    [since],
  )
  return rows.map(({ line }) => line)
}

const mailStates = `select case when sent_at is not null then 'sent' when joined_into is not null then 'left with another one'
  when dead_at is not null then 'given up' else 'waiting' end as what from mails where created_at >= $1`
const deliveryStates = `select lower(state) as what from deliveries where created_at >= $1`

async function counted(pool: pg.Pool, since: Date, states: string): Promise<string> {
  const { rows } = await pool.query<{ line: string }>(
    `select concat(count(*), ' ', what) as line from (${states}) as each group by what order by count(*) desc`,
    [since],
  )
  return rows.map(({ line }) => line).join(', ') || 'none'
}
