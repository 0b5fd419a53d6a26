import type { Proven } from '@keyturn/contract/agreements/evidence-log.ts'
import { attachments } from '@keyturn/contract/agreements/sealed-pdf.ts'
import { type EventLines, linesOf, readDealEvent } from '@keyturn/contract/deals/events.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import canonicalize from 'canonicalize'
import { asc, desc, eq, sql } from 'drizzle-orm'
import type { Config } from '../../../config.ts'
import { now } from '../../../platform/database/columns.ts'
import type { Db } from '../../../platform/database/open-database.ts'
import { type Placeholders, prepared, type RowOf } from '../../../platform/database/prepared.ts'
import { dealEvents } from '../../deals/tables.ts'
import { packageHash } from '../evidence.ts'
import { proveTogether } from '../evidence-log/log.ts'
import type { findPackage } from '../package-repository.ts'
import { signedFrom } from '../signed-from.ts'
import { signatures } from '../tables.ts'

/** The full content of the certificate's pages, so that rendering needs no queries. */
export type Certificate = {
  number: string
  verify: string
  origin: string
  parties: readonly Party[]
  packageDigest: string
  events: readonly ({ at: string; who: string; what: string } & EventLines)[]
  head: Proven['head']
}
export type Party = {
  role: 'SELLER' | 'BUYER'
  email: string
  verifiedAt: string
  consentVersion: string | null
  from: string
  digest: string
}
type AttachedFile = { name: string; description: string; text: string }
/** The pages and attachments after the sheet in the stored file. */
export type Appendix = { certificate: Certificate; files: readonly AttachedFile[]; sealedAt: string }

/**
 * Builds the certificate as of the package's creation; later events and log entries are excluded.
 * Null until the log contains all of its rows.
 */
export async function appendixOf(
  db: Db,
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { id, dealId, contents }: RowOf<typeof findPackage>,
): Promise<Appendix | null> {
  const [signed, events] = [await findSignatures(db, { dealId }), await findEvents(db, { dealId })]
  const proven = await proveTogether(db, [...signed.map((signature) => signature.id), id])
  const [{ at } = { at: null }] = await findNow(db, {})
  if (!proven || !at) return null
  const files = [
    { ...attachments.package, text: canonicalize(contents) ?? '' },
    { ...attachments.proof, text: canonicalize(proven) ?? '' },
  ]
  const certificate = {
    number: id,
    verify: new URL(`/verify?agreement=${id}`, publicUrl).href,
    origin: publicUrl.origin,
    parties: signed.map(partyOf),
    packageDigest: packageHash(contents).toString('hex'),
    events: events.map(shownEvent),
    head: proven.head,
  }
  return { certificate, files, sealedAt: at.toISOString() }
}

const partyOf = (row: RowOf<typeof findSignatures>): Party => ({
  role: row.party,
  email: row.signerEmail,
  verifiedAt: row.signerVerifiedAt.toISOString(),
  consentVersion: row.consentVersion,
  from: signedFrom(row),
  digest: row.hash.toString('hex'),
})

const shownEvent = ({ at, actor, event, facts }: RowOf<typeof findEvents>) => ({
  at: at.toISOString(),
  who: dealTexts.timeline.actors[actor],
  what: dealTexts.events[event],
  ...linesOf(readDealEvent(facts)),
})

const findNow = prepared('now', (db) => db.select({ at: now }).from(sql`(values (1)) one`))

/**
 * The signatures that count, the seller's first: a deal is passed by the last one of each party.
 */
export const findSignatures = prepared('signatures-of-package', (db, p: Placeholders<{ dealId: string }>) =>
  db
    .selectDistinctOn([signatures.party], {
      id: signatures.id,
      party: signatures.party,
      signerEmail: signatures.signerEmail,
      signerVerifiedAt: signatures.signerVerifiedAt,
      consentVersion: signatures.consentVersion,
      ip: signatures.ip,
      userAgent: signatures.userAgent,
      hash: signatures.hash,
    })
    .from(signatures)
    .where(eq(signatures.dealId, p.dealId))
    .orderBy(desc(signatures.party), desc(signatures.number)),
)

/** The events up to the package, oldest first. */
const findEvents = prepared('events-of-package', (db, p: Placeholders<{ dealId: string }>) =>
  db
    .select({
      at: dealEvents.at,
      actor: dealEvents.actor,
      event: dealEvents.event,
      facts: dealEvents.facts,
    })
    .from(dealEvents)
    .where(
      sql`${dealEvents.dealId} = ${p.dealId} and ${dealEvents.id} <= coalesce(
        (select max(id) from ${dealEvents} passed where passed.deal_id = ${p.dealId} and passed.event = 'passed'), 0)`,
    )
    .orderBy(asc(dealEvents.id)),
)
