import {
  type RetentionKind,
  retainedKinds,
  retentionKindNames,
} from '@keyturn/contract/shared/retention/retained-kinds.ts'
import { expect, test } from 'vitest'
import { removeOldRows } from '../../../tests/support/jobs/remove-old-rows.ts'
import { aBuyer, aSeller } from '../../../tests/support/people.ts'
import { aSaleAt } from '../../../tests/support/sales/deals.ts'
import { digestTables } from '../../../tests/support/table-digests.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { aTrade } from '../../../tests/support/trades.ts'
import { findEvidenceTables } from '../../modules/agreements/verification/database-checks.ts'
import { verifyDatabase } from '../../modules/agreements/verification/verify-database.ts'
import { createRetentionRules } from '../../tasks.ts'
import { readRetentionGauges, retentionTasks } from './remove-old-rows.ts'

const server = await startTestServer()
const { deps, query } = server
const sale = await aSaleAt(server, 'passed')
const reader = await aBuyer(server)
await aTrade(sale.buyer)
const [deal] = await query<{ id: string }>('select id from deals')
const [delivery] = await query<{ id: string }>('select id from deliveries limit 1')

const then = '2030-01-01 00:00:00Z'
const anId = (letter: string) => `repeat('${letter}', 24)`
const mailColumns = 'id, user_id, recipient, subject, html, text'
const mail = (letter: string, more: string, values: string) =>
  `insert into mails (${mailColumns}, ${more}) values (${anId(letter)}, '${reader.id}', 'a', '', '', '', ${values})`
const notification = (letter: string, event: string, audience: string, recipient = reader.id) =>
  `insert into notifications (id, recipient_id, type, message, public_message, created_at, event, audience, deal_id)
   values (${anId(letter)}, '${recipient}', 'Buyer_Offer', 'a', 'a', '${then}', '${event}', '${audience}', '${deal?.id}')`

/** What begins its age at `then`, and what is too important to be removed at any age. */
const rows: Record<RetentionKind, { table: string; due: string[]; stays: string[]; key?: string }> = {
  emails: {
    table: 'mails',
    due: [mail('1', 'sent_at', `'${then}'`), mail('2', 'dead_at', `'${then}'`)],
    // Pending emails.
    stays: [mail('3', 'queued_at', `'${then}'`)],
  },
  failedEmailTexts: {
    table: `(select id from mails where html <> '')`,
    due: [
      `insert into mails (id, user_id, recipient, subject, html, text, dead_at) values (${anId('1')}, '${reader.id}', 'a', 'a', 'a', 'a', '${then}')`,
    ],
    stays: [
      `insert into mails (id, user_id, recipient, subject, html, text, queued_at) values (${anId('2')}, '${reader.id}', 'a', 'a', 'a', 'a', '${then}')`,
    ],
  },
  readNotifications: {
    table: 'notifications',
    due: [
      `${notification('1', 'signedByBuyer', 'SELLER')};
       insert into notification_reads (user_id, notification_id) values ('${reader.id}', ${anId('1')})`,
    ],
    stays: [],
  },
  notifications: { table: 'notifications', due: [notification('2', 'signedByBuyer', 'SELLER')], stays: [] },
  deliveryTries: {
    table: 'delivery_tries',
    key: 'number',
    due: [
      `insert into delivery_tries (delivery_id, at, number, ms, because) values ('${delivery?.id}', '${then}', 1, 1, 'No answer')`,
    ],
    stays: [
      `insert into delivery_tries (delivery_id, at, number, ms) values ('${delivery?.id}', '${then}', 2, 1)`,
    ],
  },
  responses: {
    table: 'idempotency_keys',
    key: 'key',
    due: [
      `insert into idempotency_keys (owner, key, route, body_hash, status, answer, created_at) values ('o', 'k', '', '', 200, '', '${then}')`,
    ],
    stays: [],
  },
  signIns: {
    table: 'sessions',
    due: [
      `insert into sessions (id, user_id, expires_at, idle_seconds) values (${anId('1')}, '${reader.id}', '${then}', 1)`,
      `insert into sessions (id, user_id, expires_at, idle_seconds, ended_at, ended_because)
       values (${anId('2')}, '${reader.id}', '2031-01-01', 1, '${then}', 'signedOut')`,
    ],
    stays: [
      `insert into sessions (id, user_id, expires_at, idle_seconds) values (${anId('3')}, '${reader.id}', '2050-01-01', 1)`,
    ],
  },
  emailCodes: {
    table: 'email_codes',
    key: 'hash',
    due: [
      `insert into email_codes (hash, user_id, purpose, address, expires_at) values ('1', '${reader.id}', 'reset', 'a', '${then}')`,
    ],
    stays: [],
  },
  knownNetworks: {
    table: 'known_networks',
    key: 'network',
    due: [`insert into known_networks values ('me', '1', '${then}')`],
    stays: [],
  },
  accessTokens: {
    table: 'personal_tokens',
    due: [token('1', '2031-01-01', `'${then}'`), token('2', then, 'null')],
    stays: [token('3', '2050-01-01', 'null')],
  },
  contactLooks: {
    table: 'contact_looks',
    key: 'day',
    due: [
      `insert into contact_looks (person_id, viewer_id, trade_id, day, first_at)
       select owner_id, '${reader.id}', id, '${then}', '${then}' from trades limit 1`,
    ],
    stays: [],
  },
  reports: {
    table: 'car_claims',
    due: [claim('1', `'${then}', 'KEPT'`)],
    stays: [claim('2', 'null, null')],
  },
  vinAnswers: {
    table: 'vin_answers',
    key: 'vin',
    due: [`insert into vin_answers (vin, make, asked_at) values ('1HGCM82633A004352', 'HONDA', '${then}')`],
    stays: [],
  },
}

function token(letter: string, expires: string, revoked: string): string {
  return `insert into personal_tokens (id, user_id, name, hash, start, scopes, created_at, expires_at, revoked_at)
    values (${anId(letter)}, '${reader.id}', 'Script', sha256('${letter}'), 'kt_${letter}', '{cars:read}', timestamptz '${expires}' - interval '300 days', '${expires}', ${revoked})`
}

function claim(letter: string, decided: string): string {
  return `insert into car_claims (id, car_id, claimant_id, reason, facts, claimed_at, handled_at, outcome)
    values (${anId(letter)}, '${sale.car._id}', '${reader.id}', 'Mine', '{}', '2029-01-01', ${decided})`
}

/** Removes everything of the kind that the sale has left behind, to see the rows above alone. */
const prepare = async ({ table }: { table: string }) => {
  for (const name of ['notification_reads', table.startsWith('(') ? 'mails' : table])
    await server.owner.pool.query(
      `begin; set local session_replication_role = 'replica'; delete from ${name}; commit`,
    )
}

// R-everywhere-69, R-everywhere-70
test.each(retentionKindNames)('removes %s at their age and not a second earlier', async (kind) => {
  const { table, key = 'id', due, stays } = rows[kind]
  const days = retainedKinds[kind].days
  await prepare(rows[kind])
  await query(`update deliveries set state = 'DELIVERED', ended_at = now() where state = 'WAITING'`)
  for (const statement of [...due, ...stays]) await query(statement)
  const count = async () => (await query(`select ${key} from ${table} as one`)).length
  const at = (seconds: number) =>
    server.stopClock(new Date(Date.parse(then) + days * 86_400_000 + seconds * 1000).toISOString())
  await at(-1)
  await removeOldRows(server)
  expect(await count()).toBe(due.length + stays.length)
  expect((await lagOf(kind))?.value).toBe(0)
  await at(5)
  expect((await lagOf(kind))?.value).toBe(5)
  await at(0)
  await removeOldRows(server)
  expect(await count()).toBe(stays.length)
  expect((await lagOf(kind))?.value).toBe(0)
  await prepare(rows[kind])
  await server.moveClock('0')
})

const lagOf = async (kind: RetentionKind) =>
  (await readRetentionGauges(deps, createRetentionRules())).find(({ of }) => of === kind)

// R-everywhere-70
test('never removes a notification that needs an action or a try of a pending delivery', async () => {
  const open = await aSaleAt(server, 'requested')
  await query(`update deliveries set state = 'WAITING', ended_at = null`)
  await query(rows.deliveryTries.due[0] ?? '')
  await server.moveClock('4000 days')
  await removeOldRows(server)
  const events = await query<{ event: string }>('select event from notifications where recipient_id = $1', [
    open.seller.id,
  ])
  expect(events).toContainEqual({ event: 'requestReceived' })
  expect(await query('select number from delivery_tries')).toEqual([{ number: 1 }])
  await server.moveClock('0')
})

// R-everywhere-71
test('leaves all evidence unchanged', async () => {
  const tables = await findEvidenceTables(deps.db)
  const evidence = `^(?!(${tables.filter((name) => name !== 'delivery_tries').join('|')})$)`
  const before = await digestTables(server, evidence)
  expect(before.length).toBeGreaterThan(10)
  await server.moveClock('4000 days')
  await removeOldRows(server)
  expect(await digestTables(server, evidence)).toEqual(before)
  await server.moveClock('0')
})

// R-everywhere-72
test('removes a backlog in batches that commit one by one, and runs again at once while there is more', async () => {
  const insert = (count: number) =>
    query(`insert into known_networks select 'backlog', sha256(n::text::bytea), now() - interval '91 days'
      from generate_series(1, ${count}) n`)
  await insert(2500)
  const removed: number[] = []
  const [task] = Object.values(
    retentionTasks(deps, createRetentionRules(), {
      onRemoved: (kind, count) => void (kind === 'knownNetworks' && removed.push(count)),
    }),
  )
  const stopping = new AbortController()
  // Another server removes its rows at the same time.
  const [outcome] = await Promise.all([
    task?.run({}, { attempts: 1, stopping: stopping.signal }),
    removeOldRows(server),
  ])
  expect(Math.max(...removed)).toBeLessThanOrEqual(1000)
  expect(outcome).toMatchObject({ againInMs: 3_600_000 })
  expect(await query(`select from known_networks where owner = 'backlog'`)).toEqual([])
  await insert(10)
  stopping.abort()
  expect(await task?.run({}, { attempts: 1, stopping: stopping.signal })).toEqual({ againInMs: 0 })
  expect(await query(`select from known_networks where owner = 'backlog'`)).toHaveLength(10)
})

// R-everywhere-72
test('removes the other kinds when one fails, and reports the failure', async () => {
  const rules = createRetentionRules()
  const broken = {
    ...rules[0],
    kind: 'emails' as const,
    removeBatch: () => Promise.reject(new Error('broken')),
  }
  await query(`insert into known_networks values ('other', '1', now() - interval '91 days')`)
  const [task] = Object.values(retentionTasks(deps, [broken as never, ...rules]))
  const run = task?.run({}, { attempts: 1, stopping: new AbortController().signal })
  await expect(run).rejects.toThrow('broken')
  expect(await query(`select from known_networks where owner = 'other'`)).toEqual([])
})

// R-everywhere-70
test('removes failed tries from their tally, and lets nobody remove another try', async () => {
  const wrong = async () => {
    const lines: string[] = []
    await verifyDatabase(deps.db, deps.pictures, [], (line) => lines.push(line))
    return lines.filter((line) => /WRONG.*tries/.test(line))
  }
  await prepare({ table: 'delivery_tries' })
  await query(`delete from evidence_tallies where evidence = 'delivery_tries'`)
  await query(`update deliveries set state = 'DELIVERED', ended_at = now() where state = 'WAITING'`)
  for (const statement of [...rows.deliveryTries.due, ...rows.deliveryTries.stays]) await query(statement)
  expect(await wrong()).toEqual([])
  await server.stopClock('2030-06-01')
  await expect(query('delete from delivery_tries where because is null')).rejects.toThrow('never changed')
  await expect(deps.pool.query('delete from delivery_tries')).rejects.toMatchObject({ code: '42501' })
  await removeOldRows(server)
  expect(await query('select number from delivery_tries')).toEqual([{ number: 2 }])
  expect(await wrong()).toEqual([])
  await server.moveClock('0')
  await aSeller(server)
})
