// @module-tag full

import { readPersonState } from '@keyturn/contract/accounts/suspensions.ts'
import { deleteUser } from '@keyturn/contract/deals/endpoints.ts'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { startTestServerWithDealer } from '../../../../tests/support/dealers/test-server-with-dealer.ts'
import { createAuthenticator } from '../../../../tests/support/http/authenticator.ts'
import { aBuyer, anAdministrator } from '../../../../tests/support/people.ts'
import { addPhoto } from '../../../../tests/support/pictures.ts'
import {
  aListing,
  aRequest,
  aSaleAt,
  confirmBuyer,
  signAsBuyer,
  signAsSeller,
} from '../../../../tests/support/sales/deals.ts'
import { aTrade } from '../../../../tests/support/trades.ts'
import { transaction } from '../../../platform/database/open-database.ts'
import { runDueJobs } from '../../../platform/jobs/jobs.ts'
import { saleTasks } from '../../../tasks.ts'
import { findLogFaults } from '../evidence-log/verify-log.ts'
import { databaseChecks, findEvidenceTables, type RowFault } from './database-checks.ts'

// The attacker owns the database, and disables its triggers and drops its constraints.

const server = await startTestServerWithDealer()
const { db } = server.deps

async function faultsOf(
  checks: readonly (typeof databaseChecks)[number][] = databaseChecks,
): Promise<RowFault[]> {
  const found: RowFault[] = []
  for (const { run } of checks) for await (const fault of run(db, server.deps.pictures)) found.push(fault)
  return found
}
/** The checks that compare the number of rows. */
const tallyChecks = databaseChecks.filter(({ name }) => name.startsWith('no row was deleted'))
const tablesAt = async () => [...new Set((await faultsOf()).map(({ table }) => table))]

type Column = { table: string; column: string; type: string }
const columnsOf = (table: string) =>
  server.query<Column>(
    `select attrelid::regclass::text as table, attname as column, format_type(atttypid, atttypmod) as type
     from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
    [table],
  )

beforeAll(async () => {
  const listing = await aListing(server)
  await addPhoto(listing.seller, listing.car)
  const sale = { ...listing, buyer: await aBuyer(server) }
  await aRequest(sale, sale.buyer, 9000)
  await confirmBuyer(sale)
  const { origin } = server.deps.config.publicUrl
  const authenticator = createAuthenticator()
  await authenticator.addTo(sale.seller, { origin })
  await authenticator.signIn(sale.seller, { origin })
  await signAsSeller(sale)
  await signAsBuyer(sale)
  await aTrade(sale.buyer)
  const administrator = await anAdministrator(server)
  for (const { id } of [sale.seller, sale.buyer])
    await administrator.ask(readPersonState, { params: { userId: id } })
  await aSaleAt(server, 'completed')
  const third = await aSaleAt(server, 'completed')
  await runDueJobs(server.deps, saleTasks(server.deps))
  await server.sendSteps(sale, 'accepted', 'paidSeller')
  await third.seller.ask(deleteUser, { params: { userType: 'SELLER', id: third.seller.id } })
  const { config } = server.deps
  const before = config.evidenceKey
  config.evidenceKey = 'another secret of at least 32 characters'
  await aSaleAt(server, 'sellerSigned')
  config.evidenceKey = before
})

// R-deals-80
test('finds nothing wrong after an account deletion and a key change', async () => {
  expect(await faultsOf()).toEqual([])
  const inPieces: RowFault[] = []
  for await (const fault of findLogFaults(db, 2)) inPieces.push(fault)
  expect(inPieces).toEqual([])
})

// R-deals-80
test('stores a checksum of each row in every immutable table', async () => {
  const tables = await findEvidenceTables(db)
  expect(tables.length).toBeGreaterThan(9)
  for (const table of tables)
    expect((await columnsOf(table)).map(({ column }) => column)).toContain('row_sum')
})

const digestOfNothing = `"${'0'.repeat(64)}"`
const newestPackage = 'id = (select max(id) from packages)'
const inPackage = (path: string, to: string) =>
  `update packages set contents = jsonb_set(contents, '{${path}}', ${to}) where ${newestPackage}`
const set = (table: string, assignment: string) => `update ${table} set ${assignment}`
/** One change to each column of a consent. */
const consentChanges = [
  `person_id = (select min(id) from users where id <> person_id)`,
  `deed = 'withdrawn'`,
  `version = 'another'`,
  `at = at + interval '1 microsecond'`,
  `session_id = repeat('a', 24)`,
  `ip = '127.0.0.2'`,
  `user_agent = 'another'`,
  `hash = sha256('another')`,
  `previous_hash = sha256('another')`,
]

/**
 * Statements that tamper with evidence, by the beginning of the check's name and the table that it
 * reports.
 */
const tampering: Record<string, Record<string, string[]>> = {
  'every deal has': {
    deal_events: [
      ...['buyerSigned', 'sellerSigned', 'passed', 'completed'].map(
        (event) => `delete from deal_events where event = '${event}'`,
      ),
      set('deals', 'lapsed_at = now() where passed_at is not null'),
    ],
  },
  'every package matches': {
    packages: [
      inPackage('_id', `'"another"'`),
      inPackage('agreement,seller,digest', `'${digestOfNothing}'`),
      inPackage('agreement,buyer,digest', `'${digestOfNothing}'`),
      // The signature of the other side.
      inPackage('agreement,seller,digest', `contents #> '{agreement,buyer,digest}'`),
      `delete from packages where ${newestPackage}`,
      `update deals set passed_at = null, package_id = null, dealer_id = null, status = 'ACCEPTED', completed_at = null
       where id = (select deal_id from packages order by id desc limit 1)`,
      set(
        'packages',
        `deal_id = (select id from deals where package_id is null limit 1) where ${newestPackage}`,
      ),
    ],
  },
  'the photos of every agreement': {
    deal_photos: [
      'delete from deal_photos',
      set('deal_photos', `picture_id = repeat('0', 64)`),
      set('deal_photos', `photo = jsonb_set(photo, '{id}', '${digestOfNothing}')`),
    ],
  },
  'every delivery attempt': {
    delivery_tries: [set('deliveries', 'tries = tries + 1'), set('delivery_tries', `because = 'No answer'`)],
    partner_calls: ['delete from partner_calls'],
  },
  'every agreement has': {
    agreement_pdfs: [
      `alter table agreement_pdfs drop constraint agreement_pdfs_check; update agreement_pdfs set digest = sha256('another')`,
      'delete from seal_certificates',
      'delete from agreement_pdfs',
      'delete from documents',
      'update documents set sweep_after = now()',
      set('agreement_pdfs', `size = 'A4'`),
    ],
  },
  'every PDF is': {
    agreement_pdfs: [
      `alter table agreement_pdfs drop constraint agreement_pdfs_check; update agreement_pdfs set bytes = 'another'`,
      set('agreement_pdfs', `sealed_with = sha256('another')`),
      inPackage('price', `'1'`),
    ],
  },
  'the hash chains': {
    signatures: [
      'delete from consents',
      set('consents', `version = 'another'`),
      set('consents', `deed = 'withdrawn'`),
      set('signatures', `previous_hash = sha256('another')`),
      set('signatures', `drawing = 'M12 80l30 -20'`),
      // A word of the sheet, and its digest with it.
      `update signatures set sheet = replace(sheet, 'No agency', 'An agency'),
         sheet_hash = sha256(convert_to(replace(sheet, 'No agency', 'An agency'), 'UTF8'))`,
    ],
    deal_events: [set('deal_events', `previous_hash = sha256('another')`)],
    consents: consentChanges.map((change) =>
      set('consents', `${change} where id = (select max(id) from consents)`),
    ),
  },
  'the public log': {
    log_leaves: [
      set('signatures', `hash = sha256('another') where number = (select max(number) from signatures)`),
      inPackage('price', `'1'`),
      set('log_leaves', `digest = sha256('another') where place = 1`),
      set('log_leaves', `row_id = repeat('a', 24) where place = 1`),
      'delete from log_leaves where place = 0',
    ],
    // The last row of the log is a signature.
    signatures: [
      'delete from log_leaves where place = (select max(place) from log_leaves)',
      `update log_leaves set kind = 'package' where place = (select max(place) from log_leaves)`,
    ],
    log_nodes: [
      // Two rows that swap places.
      `update log_leaves set place = place + 1000 where place < 2;
       update log_leaves set place = 1001 - place where place in (1000, 1001)`,
      set('log_nodes', `hash = sha256('another') where level = 1 and place = 0`),
      'delete from log_leaves where place = (select max(place) from log_leaves)',
    ],
    log_heads: [
      set('log_heads', `root = sha256('another') where size = 3`),
      set('log_heads', `note = replace(note, 'log', 'lag') where size = 3`),
      // The signature alone, not the signed text.
      set('log_heads', `note = overlay(note placing 'AAAA' from length(note) - 40) where size = 3`),
      'delete from log_leaves where place = (select max(place) from log_leaves)',
    ],
  },
}

// R-deals-40, R-deals-80
describe.each(Object.entries(tampering))('the check "%s…" alone detects', (name, by) => {
  const check = databaseChecks.find((each) => each.name.startsWith(name))
  /** Runs as the database owner and leaves no trace. */
  async function faultsAfter(statements: string): Promise<string[]> {
    const tables = new Set<string>()
    const ending = new Error('Rolls back')
    const undone = transaction(server.owner.db, async (tx) => {
      await tx.execute(sql.raw(`set local session_replication_role = 'replica'; ${statements}`))
      for await (const { table } of check?.run(tx, server.deps.pictures) ?? []) tables.add(table)
      throw ending
    })
    await expect(undone).rejects.toBe(ending)
    return [...tables]
  }

  const rows = Object.entries(by).flatMap(([table, all]) => all.map((statements) => [table, statements]))
  test.each(rows)('%s: %s', async (table = '', statements = '') => {
    expect(await faultsAfter(statements)).toContain(table)
    expect(await faultsAfter('')).toEqual([])
  })
})

describe('against the owner of the database', () => {
  let tables: string[] = []
  beforeAll(async () => {
    tables = await findEvidenceTables(db)
    const restrictions = await server.query<{ table: string; name: string }>(
      `select conrelid::regclass::text as table, conname as name from pg_constraint
       where contype in ('c', 'f') and (conrelid = any($1::regclass[]) or confrelid = any($1::regclass[]))`,
      [tables],
    )
    for (const { table, name } of restrictions)
      await server.query(`alter table ${table} drop constraint if exists "${name}"`)
    const uniques = await server.query<{ index: string; table: string; constraint: string | null }>(
      `select indexrelid::regclass::text as index, indrelid::regclass::text as table, conname as constraint
       from pg_index left join pg_constraint on conindid = indexrelid
       where indisunique and not indisprimary and indrelid = any($1::regclass[])`,
      [tables],
    )
    for (const { index, table, constraint } of uniques)
      await server.query(
        constraint ? `alter table ${table} drop constraint "${constraint}"` : `drop index ${index}`,
      )
    for (const table of tables) await server.query(`alter table ${table} disable trigger user`)
    const identities = await server.query<{ table: string; column: string }>(
      `select attrelid::regclass::text as table, attname as column from pg_attribute
       where attidentity <> '' and attrelid = any($1::regclass[])`,
      [tables],
    )
    for (const { table, column } of identities)
      await server.query(`alter table ${table} alter column ${column} drop identity`)
  })

  /** Restores the row afterwards, so that changes are independent. */
  async function changing(table: string, at: string, set: string): Promise<RowFault[]> {
    const [before] = await server.query<{ row: string }>(
      `select t::text as row from ${table} t where ctid = $1::tid`,
      [at],
    )
    const [after] = await server.query<{ at: string }>(
      `update ${table} set ${set} where ctid = $1::tid returning ctid::text as at`,
      [at],
    )
    const faults = await faultsOf()
    await server.query(`delete from ${table} where ctid = $1::tid`, [after?.at])
    await server.query(`insert into ${table} select ($1::${table}).*`, [before?.row])
    return faults
  }
  const keysOf = async (table: string) =>
    (
      await server.query<{ key: string }>(
        `select attname as key from pg_index join pg_attribute on attrelid = indrelid and attnum = any (indkey)
         where indrelid = $1::regclass and indisprimary`,
        [table],
      )
    ).map(({ key }) => key)
  const newest = async (table: string) => {
    const [row] = await server.query<{ at: string }>(`select max(ctid)::text as at from ${table}`)
    return row?.at ?? ''
  }

  // R-deals-80
  test('reports a change in any column of any evidence table', async () => {
    const missed: string[] = []
    let tried = 0
    for (const table of tables)
      for (const { column, type } of await columnsOf(table)) {
        const faults = await changing(table, await newest(table), `"${column}" = ${other(column, type)}`)
        tried++
        if (!faults.some((fault) => fault.table === table)) missed.push(`${table}.${column}`)
      }
    expect(missed).toEqual([])
    expect(tried).toBeGreaterThan(80)
    expect(await faultsOf()).toEqual([])
  }, 300_000)

  // R-deals-80
  test('reports an older row that replaced a newer one', async () => {
    const missed: string[] = []
    for (const table of tables) {
      const rows = await server.query<{ at: string }>(
        `select ctid::text as at from ${table} order by ctid desc limit 2`,
      )
      const [last, older] = rows
      if (!last || !older) continue
      const keys = await keysOf(table)
      const others = (await columnsOf(table))
        .map(({ column }) => column)
        .filter((name) => !keys.includes(name))
      const list = others.map((column) => `"${column}"`).join(', ')
      const set = `(${list}) = (select ${list} from ${table} where ctid = '${older.at}')`
      const faults = await changing(table, last.at, set)
      if (!faults.some((fault) => fault.table === table)) missed.push(table)
    }
    expect(missed).toEqual([])
    expect(await faultsOf()).toEqual([])
  }, 300_000)

  const rowsOf = (table: string) =>
    server.query<{ at: string }>(`select ctid::text as at from ${table} order by ctid`)
  /** Runs `look` while these rows are deleted. */
  async function without<T>(table: string, which: string, look: () => Promise<T>): Promise<T> {
    const gone = await server.query<{ row: string }>(
      `delete from ${table} t where ${which} returning t::text as row`,
    )
    const seen = await look()
    for (const { row } of gone) await server.query(`insert into ${table} select ($1::${table}).*`, [row])
    return seen
  }

  /** Missing rows of these tables are found even when the attacker adjusts the tallies. */
  const linkedTables = new Set(
    ['signatures', 'packages', 'agreement_pdfs', 'log_leaves', 'log_nodes', 'log_heads', 'log_keys'].concat([
      'deal_events',
      'consents',
      'seal_certificates',
      'delivery_tries',
      'partner_calls',
    ]),
  )
  const otherChecks = databaseChecks.filter((check) => !tallyChecks.includes(check))

  // R-deals-80
  test('reports when the first, a middle or the last row of any evidence table is missing', async () => {
    const missed: string[] = []
    for (const table of tables) {
      const rows = await rowsOf(table)
      const tried = [rows[0], rows[Math.floor(rows.length / 2)], rows.at(-1)].map((row) => row?.at)
      for (const at of new Set(tried)) {
        const look = async () => [await faultsOf(tallyChecks), await faultsOf(otherChecks)]
        const [byTally = [], byOthers = []] = await without(table, `ctid = '${at}'`, look)
        const isMissed = [...byTally, ...byOthers].some((fault) => fault.table === table)
        if (!isMissed || (linkedTables.has(table) && byOthers.length === 0)) missed.push(`${table} ${at}`)
      }
    }
    expect(missed).toEqual([])
    expect(await faultsOf()).toEqual([])
  }, 300_000)

  // R-deals-80
  test.each([
    ['account_events', 'user_id'],
    ['trade_events', 'trade_id'],
    ['deal_events', 'deal_id'],
    ['consents', 'person_id'],
    ['delivery_tries', 'delivery_id'],
    ['agreement_pdfs', 'package_id'],
  ])('reports when all rows of %s, or the last, are missing for one %s', async (table, about) => {
    const ids = await server.query<{ id: string }>(`select distinct ${about} as id from ${table}`)
    for (const { id } of ids) {
      const all = `${about} = '${id}'`
      for (const which of [all, `ctid = (select max(ctid) from ${table} where ${all})`])
        expect(await without(table, which, () => faultsOf(tallyChecks))).toEqual([{ table, id: `of ${id}` }])
    }
  })

  // R-deals-80
  test.each([
    ['account_events', 'user_id'],
    ['trade_events', 'trade_id'],
    ['deal_events', 'deal_id'],
  ])('reports missing rows of %s for one %s even if their tally is missing too', async (table, about) => {
    const [{ id } = { id: '' }] = await server.query<{ id: string }>(
      `select max(${about}) as id from ${table}`,
    )
    const both = () =>
      without('evidence_tallies', `(evidence, about) = ('${table}', '${id}')`, () => faultsOf(tallyChecks))
    expect(await without(table, `${about} = '${id}'`, both)).toEqual([{ table, id: `of ${id}` }])
  })

  // R-deals-80
  test('reports two rows with swapped contents even if their checksums were recomputed', async () => {
    const missed: string[] = []
    for (const table of tables) {
      const keys = (await keysOf(table)).map((key) => `'${key}'`).join()
      const both = `select ctid from ${table} order by ctid limit 2`
      const [one, other] = await server.query<{ row: string; at: string }>(
        `select t::text as row, ctid::text as at from ${table} t where ctid in (${both}) order by ctid`,
      )
      if (!one || !other) continue
      const put = async (row: string, from: string) => {
        await server.query(
          `insert into ${table} select (jsonb_populate_record($1::${table}, to_jsonb($2::${table}) - array[${keys}])).*`,
          [row, from],
        )
      }
      await server.query(`delete from ${table} where ctid in (${both})`)
      await server.query(`alter table ${table} enable trigger summed`)
      await put(one.row, other.row)
      await put(other.row, one.row)
      await server.query(`alter table ${table} disable trigger summed`)
      if (!(await tablesAt()).includes(table)) missed.push(table)
      const named = (row: string) =>
        server.query(
          `delete from ${table} t where (${keys.replaceAll("'", '"')}) = (select ${keys.replaceAll("'", '"')} from (select ($1::${table}).*) r)`,
          [row],
        )
      for (const { row } of [one, other]) {
        await named(row)
        await server.query(`insert into ${table} select ($1::${table}).*`, [row])
      }
    }
    expect(missed).toEqual([])
    expect(await faultsOf()).toEqual([])
  }, 300_000)

  // R-deals-80
  test('reports a row inserted without triggers, a changed tally and a missing trigger', async () => {
    const about = (await server.query<{ id: string }>('select max(user_id) as id from account_events'))[0]?.id
    const named = [{ table: 'account_events', id: `of ${about}` }]
    await server.query(`alter table account_events enable trigger summed;
      insert into account_events (id, user_id, actor, event) values (1000000, '${about}', 'ADMIN', 'approved');
      alter table account_events disable trigger summed`)
    expect(await faultsOf()).toEqual(named)
    await server.query('delete from account_events where id = 1000000')
    const which = `(evidence, about) = ('account_events', '${about}')`
    for (const [there, back] of [
      ['rows = rows + 1', 'rows = rows - 1'],
      ['digest = ~digest', 'digest = ~digest'],
    ]) {
      await server.query(`update evidence_tallies set ${there} where ${which}`)
      expect(await faultsOf()).toEqual(named)
      await server.query(`update evidence_tallies set ${back} where ${which}`)
    }
    expect(await faultsOf()).toEqual([])
    await server.query('drop trigger tallied on consents')
    expect(await faultsOf()).toEqual([{ table: 'consents', id: 'of all' }])
    await server.query(`create trigger tallied after insert on consents for each row execute function tally_row('person_id');
      alter table consents disable trigger user`)
  })
})

/** An SQL expression for another value of this type. */
function other(column: string, type: string): string {
  const name = `"${column}"`
  if (type === 'bytea') return `coalesce(${name}, '') || '\\x00'::bytea`
  if (type === 'jsonb') return `jsonb_build_object('was', ${name})`
  if (type.startsWith('timestamp')) return `coalesce(${name}, now()) + interval '1 millisecond'`
  if (type === 'text[]') return `coalesce(${name}, '{}') || 'more'::text`
  if (type === 'character(24)') return `reverse(coalesce(${name}, repeat('a', 23) || 'b'))`
  if (/int|numeric/.test(type)) return `coalesce(${name}, 0) + 1000`
  if (type === 'boolean') return `not coalesce(${name}, false)`
  return `coalesce(${name}, '') || 'x'`
}
