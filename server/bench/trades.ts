import { createHash, randomBytes } from 'node:crypto'
import { migrate } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import { explainPage } from '../trades/list.ts'
import { shoot } from './load.ts'
import { median } from './median.ts'
import { run } from './server-process.ts'

const few = 1_000
const many = 1_000_000
const rounds = 7
const roundMs = 1_000

/** Page 1 of the wholesalers' list with few and with very many trades: the same work, whatever lies behind it. */
export async function compareLists(fewUrl: string, manyUrl: string, dataDir: string): Promise<string> {
  const lists = [await prepareList(fewUrl, few, dataDir), await prepareList(manyUrl, many, dataDir)] as const
  const times: number[][] = [[], []]
  for (let round = 0; round <= rounds; round++)
    for (const [place, list] of lists.entries()) {
      const load = await shoot(list.server.port, () => list.shot, 1, roundMs)
      if (load.failed > 0) throw new Error(`${load.failed} requests failed`)
      if (round > 0) times[place]?.push(load.p50)
    }
  for (const list of lists) await list.server.stop()
  const [fewMs = [], manyMs = []] = times
  const ratio = median(manyMs.map((ms, round) => ms / (fewMs[round] ?? 1)))
  return [
    '',
    `GET /trades, page 1 of 50, p50 of one connection, median of ${rounds} interleaved rounds:`,
    `  ${few.toLocaleString('en-US')} trades ${median(fewMs).toFixed(2)} ms, ${many.toLocaleString('en-US')} trades ${median(manyMs).toFixed(2)} ms: ${ratio.toFixed(2)} times (to reach: at most 1.50)`,
    ...lists.flatMap((list) => [
      '',
      `Plan at ${list.count.toLocaleString('en-US')} trades:`,
      ...list.plan.map((row) => `  ${row}`),
    ]),
  ].join('\n')
}

async function prepareList(databaseUrl: string, count: number, dataDir: string) {
  const database = openDatabase({ connectionString: databaseUrl, statement_timeout: 0 })
  await migrate(database.pool, new URL('../db/migrations/', import.meta.url))
  const token = randomBytes(32).toString('base64url')
  const query = (text: string, values: unknown[] = []) => database.pool.query(text, values)
  await query(`insert into users (id, email, user_type, first_name, last_name, phone_number, password_hash, verified_at, approved_at)
    select lpad(to_hex(n), 24, '0'), 'person' || n || '@example.com', case n when 1 then 'WHOLESALER' else 'BUYER' end,
      'P' || n, 'Q', '5551234567', 'none', now(), case n when 1 then now() end
    from generate_series(1, 500) n`)
  await query(
    `insert into trades (id, owner_id, vin, make, model, year, trim, mileage, color, zip_code, payoff, created_at)
     select lpad(to_hex(n), 24, '0'), lpad(to_hex(2 + n % 498), 24, '0'), 'TESTV' || lpad(n::text, 12, '0'),
       'Ford', 'Focus', 2012, 'SE', 80000, 'Blue', '48201', false, now() - n * interval '1 second'
     from generate_series(1, $1::int) n`,
    [count],
  )
  await signIn(query, token)
  await query('vacuum analyze')
  // What was just written reaches the disk now, not during the rounds.
  await query('checkpoint')
  const plan = await explainPage(database.db, 'ALL', 51)
  await database.close()
  const server = await run('dist/server/main.js', '/health/ready', {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    RATE_LIMITS: 'off',
    DEMO: '0',
  })
  const shot = { method: 'GET', path: '/trades?status=ALL', headers: { cookie: `at=${token}` } }
  return { count, plan, server, shot }
}

/** A wholesaler's session, written as signing in writes it. */
async function signIn(
  query: (text: string, values?: unknown[]) => Promise<unknown>,
  token: string,
): Promise<void> {
  const sessionId = 'a'.repeat(24)
  const hash = createHash('sha256').update(token).digest()
  await query(
    `insert into sessions (id, user_id, expires_at, idle_seconds) values ($1, lpad('1', 24, '0'), now() + interval '1 day', 86400)`,
    [sessionId],
  )
  await query(
    `insert into access_tokens (hash, session_id, refresh_hash, expires_at) values ($1, $2, $1, now() + interval '1 day')`,
    [hash, sessionId],
  )
}
