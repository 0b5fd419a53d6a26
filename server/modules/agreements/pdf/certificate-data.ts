import type { LogProof } from '@keyturn/contract/agreements/evidence-log.ts'
import { pdfAttachments } from '@keyturn/contract/agreements/sealed-pdf.ts'
import { decodeDealEvent, type EventLines, eventLines } from '@keyturn/contract/deals/events.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import canonicalize from 'canonicalize'
import { and, asc, desc, eq, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Config } from '../../../config.ts'
import { now, pickColumns } from '../../../platform/database/columns.ts'
import type { Db } from '../../../platform/database/open-database.ts'
import { type Placeholders, prepareQuery, type RowOf } from '../../../platform/database/prepare-query.ts'
import { dealEvents } from '../../deals/tables.ts'
import { packageHash } from '../evidence-hashes.ts'
import { readJointProof } from '../evidence-log/evidence-log.ts'
import type { findPackage } from '../package-repository.ts'
import { describeSigningDevice } from '../signing-device.ts'
import { consents, passkeySignatures, signatures, signerActs } from '../tables.ts'

/** The full content of the certificate's pages, so that rendering needs no queries. */
export type Certificate = {
  number: string
  verify: string
  origin: string
  parties: readonly CertifiedParty[]
  packageDigest: string
  /** The operator's postal address. */
  address: string
  events: readonly ({ at: string; who: string; what: string } & EventLines)[]
  head: LogProof['head']
}
export type CertifiedParty = {
  role: 'SELLER' | 'BUYER'
  email: string
  verifiedAt: string
  /** When the session began with the password or a passkey; null: with a link. Null if it was not recorded. */
  signIn: SignInOfSigner | null
  /** When the sheet was shown, and fetched as a PDF; null if that was not recorded. */
  shownAt: string | null
  fetchedAt: string | null
  /** Null: none was given; `at` is null if the time was not recorded. */
  consent: { version: string; at: string | null } | null
  from: string
  digest: string
}
type SignInOfSigner = { at: string | null; withPassword: boolean; withPasskey: boolean }
type AttachedFile = { name: string; description: string; text: string }
/** The pages and attachments after the sheet in the stored file. */
export type Appendix = { certificate: Certificate; files: readonly AttachedFile[]; sealedAt: string }

/**
 * Builds the certificate as of the package's creation; later events and log entries are excluded.
 * Null until the log contains all of its rows.
 */
export async function readAppendix(
  db: Db,
  { publicUrl, contactAddress }: Pick<Config, 'publicUrl' | 'contactAddress'>,
  { id, dealId, contents }: RowOf<typeof findPackage>,
): Promise<Appendix | null> {
  const [signed, events] = [await findCurrentSignatures(db, { dealId }), await findEvents(db, { dealId })]
  const proven = await readJointProof(db, [...signed.map((signature) => signature.id), id])
  const [{ at } = { at: null }] = await findNow(db, {})
  if (!proven || !at) return null
  const files = [
    { ...pdfAttachments.package, text: canonicalize(contents) ?? '' },
    { ...pdfAttachments.proof, text: canonicalize(proven) ?? '' },
  ]
  const certificate = {
    number: id,
    verify: new URL(`/verify?agreement=${id}`, publicUrl).href,
    origin: publicUrl.origin,
    parties: signed.map(partyOf),
    packageDigest: packageHash(contents).toString('hex'),
    address: contactAddress,
    events: events.map(eventLine),
    head: proven.head,
  }
  return { certificate, files, sealedAt: at.toISOString() }
}

const partyOf = (row: RowOf<typeof findCurrentSignatures>): CertifiedParty => ({
  role: row.party,
  email: row.signerEmail,
  verifiedAt: row.signerVerifiedAt.toISOString(),
  signIn: row.act && {
    at: iso(row.act.signedInAt),
    withPassword: row.act.withPassword,
    withPasskey: row.hadPasskey,
  },
  shownAt: iso(row.shownAt),
  fetchedAt: iso(row.fetchedAt),
  consent: row.consentVersion === null ? null : { version: row.consentVersion, at: iso(row.consentedAt) },
  from: describeSigningDevice(row),
  digest: row.hash.toString('hex'),
})

const iso = (at: Date | null): string | null => at?.toISOString() ?? null

const eventLine = ({ at, actor, event, facts }: RowOf<typeof findEvents>) => ({
  at: at.toISOString(),
  who: dealTexts.timeline.actors[actor],
  what: dealTexts.events[event],
  ...eventLines(decodeDealEvent(facts)),
})

const findNow = prepareQuery('find-now', (db) => db.select({ at: now }).from(sql`(values (1)) one`))

const momentSql = (query: SQL) => sql<Date | null>`(${query})`.mapWith((text: string) => new Date(text))
const acts = alias(signerActs, 'acts')
const actAt = (act: 'shown' | 'pdf') =>
  momentSql(sql`select ${acts.at} from ${signerActs} as ${acts} where ${acts.dealId} = ${signatures.dealId}
    and ${acts.personId} = ${signatures.signerId} and ${acts.sheetHash} = ${signatures.sheetHash}
    and ${acts.act} = ${sql.raw(`'${act}'`)} and ${acts.at} <= ${signatures.signedAt}`)

/** Finds the signatures that count, the seller's first: the last one of each party. */
const findCurrentSignatures = prepareQuery(
  'find-current-signatures',
  (db, p: Placeholders<{ dealId: string }>) =>
    db
      .selectDistinctOn([signatures.party], {
        id: signatures.id,
        party: signatures.party,
        signerEmail: signatures.signerEmail,
        signerVerifiedAt: signatures.signerVerifiedAt,
        consentVersion: signatures.consentVersion,
        signedAt: signatures.signedAt,
        // Times of signatures end at the millisecond. A consent given with the signature is not later.
        consentedAt:
          momentSql(sql`select max(${consents.at}) from ${consents} where ${consents.personId} = ${signatures.signerId}
          and ${consents.deed} = 'given' and ${consents.version} = ${signatures.consentVersion} and date_trunc('milliseconds', ${consents.at}) <= ${signatures.signedAt}`),
        shownAt: actAt('shown'),
        fetchedAt: actAt('pdf'),
        act: pickColumns(signerActs, 'id', 'signedInAt', 'withPassword'),
        hadPasskey: sql<boolean>`exists (select from ${passkeySignatures} where ${passkeySignatures.signatureId} = ${signatures.id})`,
        ip: signatures.ip,
        userAgent: signatures.userAgent,
        hash: signatures.hash,
      })
      .from(signatures)
      .leftJoin(
        signerActs,
        and(eq(signerActs.dealId, signatures.dealId), eq(signerActs.signatureId, signatures.id)),
      )
      .where(eq(signatures.dealId, p.dealId))
      .orderBy(desc(signatures.party), desc(signatures.number)),
)

/**
 * The events before the package, oldest first. Passing the deal on is not among them: it is only
 * planned when the PDF is drawn.
 */
const findEvents = prepareQuery('find-events-of-package', (db, p: Placeholders<{ dealId: string }>) =>
  db
    .select({
      at: dealEvents.at,
      actor: dealEvents.actor,
      event: dealEvents.event,
      facts: dealEvents.facts,
    })
    .from(dealEvents)
    .where(
      sql`${dealEvents.dealId} = ${p.dealId} and ${dealEvents.id} < coalesce(
        (select max(id) from ${dealEvents} passed where passed.deal_id = ${p.dealId} and passed.event = 'passed'), 0)`,
    )
    .orderBy(asc(dealEvents.id)),
)
