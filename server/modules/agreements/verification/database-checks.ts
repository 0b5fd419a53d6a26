import { readPdf } from '@keyturn/contract/agreements/verification/open-file.ts'
import { webCryptography } from '@keyturn/contract/shared/crypto/cryptography.ts'
import { asc, eq, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../platform/database/open-database.ts'
import { isJobPlannedSql } from '../../../platform/jobs/jobs.ts'
import type { DocumentStore } from '../../../platform/storage/document-store.ts'
import { readDocument } from '../../../platform/storage/documents.ts'
import { users } from '../../accounts/tables.ts'
import { deals } from '../../deals/tables.ts'
import { trades } from '../../trades/tables.ts'
import { packageHash, sha256 } from '../evidence-hashes.ts'
import { findLogFaults } from '../evidence-log/verify-log.ts'
import { findEvidenceFaults } from '../find-evidence-faults.ts'
import { agreementPdfs, packages } from '../tables.ts'

// Checks of `npm run verify-agreements`. They only read, and hold a few hundred rows at a time.

export type RowFault = { table: string; id: string }
type Documents = { documents: DocumentStore }
type DatabaseCheck = { name: string; run: (db: Db, store: Documents) => AsyncIterable<RowFault> }

/** Finds evidence tables by their triggers against changes, so that a new table is included. */
export async function findEvidenceTables(db: Db): Promise<string[]> {
  const { rows } = await db.execute<{ name: string }>(sql`
    select distinct tgrelid::regclass::text as name from pg_trigger
    where tgfoid = 'refuse_change'::regproc and not tgisinternal order by name`)
  return rows.map(({ name }) => name)
}

async function* findChangedRows(db: Db): AsyncGenerator<RowFault> {
  for (const table of await findEvidenceTables(db)) {
    const { rows } = await db.execute<{ id: string }>(sql`select id from rows_changed(${table})`)
    for (const { id } of rows) yield { table, id }
  }
}

/** Every user, trade and deal has a tally; a missing one was deleted together with its rows. */
const withoutTally = sql`
  select t.evidence as table, t.about as id from (
    select 'account_events' as evidence, id as about from ${users}
    union all select 'trade_events', id from ${trades}
    union all select 'deal_events', id from ${deals}) t
  where not exists (select from evidence_tallies where (evidence, about) = (t.evidence, t.about))`

async function* findTallyFaults(db: Db): AsyncGenerator<RowFault> {
  for (const table of await findEvidenceTables(db)) {
    const { rows } = await db.execute<{ id: string }>(sql`select id from tallies_changed(${table})`)
    for (const { id } of rows) yield { table, id: `of ${id}` }
  }
  for (const { table, id } of (await db.execute<RowFault>(withoutTally)).rows) yield { table, id: `of ${id}` }
}

async function* findChainFaults(db: Db): AsyncGenerator<RowFault> {
  yield* await findEvidenceFaults(db)
}

function runQuery(query: SQL): DatabaseCheck['run'] {
  return async function* (db) {
    yield* (await db.execute<RowFault>(query)).rows
  }
}

/** Finds deals whose state proves an event that is missing, even if the tallies were adjusted. */
const missingEvents = sql`
  select 'deal_events' as table, 'of deal ' || d.id as id
  from deals d
  left join lateral (
    select count(*) filter (where event in ('sellerSigned', 'buyerSigned')) as signed,
      bool_or(event = 'passed') as passed, bool_or(event = 'completed') as completed, bool_or(event = 'lapsed') as lapsed
    from deal_events e where e.deal_id = d.id
  ) e on true
  where e.signed <> (select count(*) from signatures s where s.deal_id = d.id)
    or (d.passed_at is not null) <> coalesce(e.passed, false)
    or (d.completed_at is not null) <> coalesce(e.completed, false)
    or (d.lapsed_at is not null and not coalesce(e.lapsed, false))`

const strayPackages = sql`
  select 'packages' as table, p.id
  from packages p
  where p.contents ->> '_id' <> p.id
    or not exists (select from deals d where d.id = p.deal_id and d.passed_at is not null)
    or exists (
      select from unnest(array['seller', 'buyer']) side
      where p.contents #>> array['agreement', side, 'digest'] is not null and not exists (
        select from signatures s where s.deal_id = p.deal_id and s.party = upper(side)
          and encode(s.hash, 'hex') = p.contents #>> array['agreement', side, 'digest']))
  union all
  select 'packages', d.package_id from deals d
  where d.package_id is not null
    and not exists (select from packages p where p.id = d.package_id and p.deal_id = d.id)`

const missingPhotos = sql`
  select 'deal_photos' as table, p.deal_id || ' ' || (shown ->> 'id') as id
  from packages p, jsonb_array_elements(
    case jsonb_typeof(p.contents #> '{car,photos}') when 'array' then p.contents #> '{car,photos}' else '[]' end) shown
  where not exists (
    select from deal_photos f where f.deal_id = p.deal_id and f.picture_id = shown ->> 'id'
      and f.photo ->> 'id' = f.picture_id)`

/**
 * Each delivery has the attempts since it was requested and a successful one, and each dealer
 * report has its request. Older attempts that failed are removed at their age.
 */
const missingDeliveryRows = sql`
  select 'delivery_tries' as table, 'of delivery ' || d.id as id
  from deliveries d
  left join lateral (
    select count(*) as stored, max(number) as last, bool_or(because is null) as taken
    from delivery_tries t where t.delivery_id = d.id
  ) t on true
  where (d.state = 'WAITING' and t.stored < d.tries)
    or (d.state = 'DELIVERED' and d.way = 'webhook' and (t.taken is not true or t.last < d.tries))
  union all
  select 'partner_calls', 'of package ' || d.package_id from deals d
  where d.passed_at is not null
    and (select count(*) from deal_events e where e.deal_id = d.id and e.actor = 'DEALER')
      > (select count(*) from partner_calls c where c.package_id = d.package_id)`

/** A missing PDF is not an error, because its job may not have run yet. */
const strayPdfs = sql`
  select 'agreement_pdfs' as table, package_id || ' ' || size as id from agreement_pdfs k
  where digest <> sha256(bytes) or not exists (select from seal_certificates c where c.fingerprint = k.sealed_with)
  union all
  select 'agreement_pdfs', p.id || ' Letter' from packages p
  where not exists (select from agreement_pdfs k where k.package_id = p.id and k.size = 'Letter')
    and not ${isJobPlannedSql(sql`'agreement of ' || p.id`)}
  union all
  select 'agreement_pdfs', package_id || ' ' || size from agreement_pdfs k
  where bytes is null and not exists (select from documents d where d.digest = k.digest and d.sweep_after is null)`

/**
 * Checks one PDF at a time: its seal is intact and matches the row's certificate, and it contains
 * the logged package.
 */
async function* findBrokenPdfs(db: Db, store: Documents): AsyncGenerator<RowFault> {
  let last = { packageId: '', size: '' }
  for (;;) {
    const [row] = await db
      .select({
        packageId: agreementPdfs.packageId,
        size: sql<string>`${agreementPdfs.size}`,
        bytes: agreementPdfs.bytes,
        digest: agreementPdfs.digest,
        sealedWith: agreementPdfs.sealedWith,
        contents: packages.contents,
      })
      .from(agreementPdfs)
      .leftJoin(packages, eq(packages.id, agreementPdfs.packageId))
      .where(sql`(${agreementPdfs.packageId}, ${agreementPdfs.size}) > (${last.packageId}, ${last.size})`)
      .orderBy(asc(agreementPdfs.packageId), asc(agreementPdfs.size))
      .limit(1)
    if (!row) return
    last = row
    const bytes = row.bytes ?? (await readDocument(store, row.digest))
    const pdf = bytes && (await readPdf(bytes, webCryptography))
    const isSealed =
      pdf?.seal.valid === true &&
      pdf.seal.added === null &&
      pdf.seal.fingerprint === row.sealedWith.toString('hex')
    const isOfPackage = pdf?.package && sha256(pdf.package).equals(packageHash(row.contents))
    if (!isSealed || !isOfPackage) yield { table: 'agreement_pdfs', id: `${row.packageId} ${row.size}` }
  }
}

export const databaseChecks = [
  { name: 'every row is unchanged since it was inserted', run: findChangedRows },
  { name: 'no row was deleted or inserted outside the application', run: findTallyFaults },
  { name: 'the hash chains of signatures, events and consents are intact', run: findChainFaults },
  {
    name: 'the public log contains every signature and package, and its heads are signed',
    run: (db) => findLogFaults(db),
  },
  { name: 'every deal has the events that its state requires', run: runQuery(missingEvents) },
  { name: 'every package matches its deal and its signatures', run: runQuery(strayPackages) },
  { name: 'the photos of every agreement were shown to both parties', run: runQuery(missingPhotos) },
  {
    name: 'every delivery attempt and every dealer report is stored',
    run: runQuery(missingDeliveryRows),
  },
  { name: 'every agreement has its PDF, byte for byte', run: runQuery(strayPdfs) },
  { name: 'every PDF is sealed and contains its package', run: findBrokenPdfs },
] as const satisfies readonly DatabaseCheck[]
