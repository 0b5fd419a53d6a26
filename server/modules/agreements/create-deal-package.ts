import type { DealPackage } from '@keyturn/contract/agreements/endpoints.ts'
import { encodeSheet } from '@keyturn/contract/agreements/sheet.ts'
import { type StoredPackage1, storedPackage1 } from '@keyturn/contract/frozen/package-1/stored-package.ts'
import { type StoredPackage2, storedPackage2 } from '@keyturn/contract/frozen/package-2/stored-package.ts'
import type { CarBody } from '@keyturn/contract/shared/car-illustrations.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { z } from 'zod'
import type { Deps } from '../../deps.ts'
import { now } from '../../platform/database/columns.ts'
import { newOwnedId } from '../../platform/database/new-id.ts'
import type { Db } from '../../platform/database/open-database.ts'
import type { Caller } from '../../platform/http/authorization.ts'
import type { ChangeContext } from '../../platform/http/change-context.ts'
import { addJob } from '../../platform/jobs/jobs.ts'
import { toCarFacts, toDealerContact, toLoan } from '../cars/mappers.ts'
import type { DealView } from '../deals/deal-view-repository.ts'
import { recordDealEvent } from '../deals/event-repository.ts'
import { toFinancing, toPerson, toTerms, withoutContactData } from '../deals/mappers.ts'
import * as store from '../deals/repository.ts'
import * as tradeStore from '../deals/trade-repository.ts'
import { listTradesByIds } from '../trades/read-trades.ts'
import { type AgreementLinks, createAgreementLinks } from './agreement-links.ts'
import { packageHash, sha256 } from './evidence-hashes.ts'
import { appendToLog, type LogHead } from './evidence-log/evidence-log.ts'
import type { LogEntry } from './evidence-log/log-repository.ts'
import { findPackage, insertPackage } from './package-repository.ts'
import { readAgreedPhotos, upsertSignedPhotos } from './signed-photos.ts'

/** Renders and stores the PDF once the package exists. */
export const storeAgreementJob = 'keep-agreement'

/** Delivers a packaged deal and notifies both parties; the `dealers` module implements it. */
export type DealerHandover = (
  deps: Deps,
  tx: Db,
  view: DealView,
  passed: { packageId: string; links: AgreementLinks; head: LogHead; wantsFinancing: boolean },
) => Promise<void>

/**
 * Freezes the signed deal into its package and passes the deal to its dealer. The caller holds the
 * locks. This function also appends `signature`, which completed the pair, to the log.
 */
export async function createDealPackage(
  deps: Deps,
  tx: Db,
  by: ChangeContext,
  side: 'SELLER' | 'BUYER',
  view: DealView,
  signature: LogEntry,
  passToDealer: DealerHandover,
): Promise<void> {
  const terms = toTerms(view, deps.config)
  const { deal, car, sellerSignature, buyerSignature } = view
  if (!terms || !sellerSignature || !buyerSignature) throw apiErrors.Unavailable()
  const id = newOwnedId(deal.id)
  const dealer = toDealerContact(view.dealer, deps.config.dealer)
  const inRequest = await tradeStore.findTradesOfDeal(tx, { dealId: deal.id })
  const trades = await listTradesByIds(
    tx,
    inRequest.map((trade) => trade._id),
  )
  const sheet = encodeSheet(terms)
  const contents: StoredPackage2 = {
    _id: id,
    createdAt: view.now.toISOString(),
    dealer: dealer.name,
    seller: toPerson(view.seller),
    buyer: toPerson(view.buyer),
    car: { vin: car.vin, ...toCarFacts(car), ...toLoan(car), photos: await readAgreedPhotos(tx, view) },
    price: terms.price,
    agreement: {
      terms,
      sheet,
      hash: sha256(sheet).toString('hex'),
      textVersion: terms.textVersion,
      seller: packagedSignature(sellerSignature),
      buyer: packagedSignature(buyerSignature),
    },
    financing: toFinancing(deal),
    trades: trades.map((trade) => ({ ...trade, bodyType: toPackagedBody(trade.bodyType) })),
    formatVersion: 2,
  }
  await upsertSignedPhotos(
    tx,
    view,
    trades.flatMap((trade) => trade.photos),
  )
  const encoded = storedPackage2.encode(contents)
  await insertPackage(tx, { id, dealId: deal.id, contents: encoded })
  await store.saveDeal(tx, deal.id, { passedAt: now, packageId: id, dealerId: view.dealer.id })
  await recordDealEvent(tx, deal.id, side, by, { event: 'passed', dealer: dealer.name })
  await addJob(tx, storeAgreementJob, { packageId: id }, { key: `agreement of ${id}` })
  // Appended late, because it locks the log; the steps below refer to the new head.
  const head = await appendToLog(deps, tx, [
    signature,
    { kind: 'package', rowId: id, digest: packageHash(encoded) },
  ])
  await passToDealer(deps, tx, view, {
    packageId: id,
    links: await createAgreementLinks(tx, deps.config, id),
    head,
    wantsFinancing: contents.financing?.contactConsent === true,
  })
}

/** The package has no word for the body types that were added later. */
function toPackagedBody(body: CarBody | null): StoredPackage1['trades'][number]['bodyType'] {
  if (body === 'crossover') return 'suv'
  return body === 'minivan' ? 'van' : body
}

/** Reads the package for a party to it or the administrator; everybody else gets a 404. */
export async function readPackage(
  deps: Deps,
  { user, administrator }: Caller,
  id: string,
): Promise<DealPackage> {
  const [row] = await findPackage(deps.db, { id })
  const isParty = row && user?.verified && (user.id === row.sellerId || user.id === row.buyerId)
  if (!row || !(isParty || administrator)) throw apiErrors.NotFound()
  return {
    ...hideDeletedAccounts(decodePackage(row.contents), row),
    completed: row.completedAt !== null,
    completedAt: row.completedAt?.toISOString() ?? null,
    calledOff: row.withdrawnAt !== null,
  }
}

/** Decodes a stored package in its own version (R-deals-89), with all contact data. */
export const decodePackage = (contents: unknown): StoredPackage => storedPackage.parse(contents)

const storedPackage = z.union([storedPackage2, storedPackage1])
type StoredPackage = StoredPackage1 | StoredPackage2

/** Opens a package for its dealer; null when it does not exist. */
export async function readPackageForDealer(db: Db, id: string) {
  const [row] = await findPackage(db, { id })
  if (!row) return null
  const deal = hideDeletedAccounts(decodePackage(row.contents), row)
  return { deal, contents: row.contents, dealId: row.dealId, dealerId: row.dealerId }
}

type Departed = { sellerLeft: boolean; buyerLeft: boolean }

/**
 * Hides the contact data and trade-in comments of a deleted account. The stored package is evidence
 * and does not change; names and signatures stay.
 */
const hideDeletedAccounts = <Stored extends StoredPackage>(
  deal: Stored,
  { sellerLeft, buyerLeft }: Departed,
): Stored => ({
  ...deal,
  seller: sellerLeft ? withoutContactData(deal.seller) : deal.seller,
  buyer: buyerLeft ? withoutContactData(deal.buyer) : deal.buyer,
  trades: buyerLeft ? deal.trades.map((trade) => ({ ...trade, message: '' })) : deal.trades,
})

/** Digests of every form in which the package is or was sent since an account was deleted. */
export function digestsWithoutContact(row: Departed & { contents: unknown }): string[] {
  const { sellerLeft, buyerLeft } = row
  const forms = [
    ...(sellerLeft ? [{ sellerLeft, buyerLeft: false }] : []),
    ...(buyerLeft ? [{ sellerLeft: false, buyerLeft }] : []),
    ...(sellerLeft && buyerLeft ? [{ sellerLeft, buyerLeft }] : []),
  ]
  return forms.map((departed) => {
    const sent = storedPackage.encode(hideDeletedAccounts(decodePackage(row.contents), departed))
    return packageHash(sent).toString('hex')
  })
}

type SignatureRow = { name: string; signature: string; drawing: string | null; signedAt: Date; hash: Buffer }
const packagedSignature = (signature: SignatureRow) => ({
  name: signature.name,
  signature: signature.signature,
  ...(signature.drawing !== null && { drawing: signature.drawing }),
  signedAt: signature.signedAt.toISOString(),
  digest: signature.hash.toString('hex'),
})
