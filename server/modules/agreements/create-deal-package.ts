import { sheetOf } from '@keyturn/contract/agreements/sheet.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import type { DealPackage } from '@keyturn/contract/deals/shapes.ts'
import { type StoredPackage1, storedPackage1 } from '@keyturn/contract/frozen/package-1/stored-package.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Deps } from '../../deps.ts'
import { now } from '../../platform/database/columns.ts'
import { newId } from '../../platform/database/new-id.ts'
import type { Db } from '../../platform/database/open.ts'
import type { Caller } from '../../platform/http/authorization.ts'
import { addJob } from '../../platform/jobs/jobs.ts'
import { enqueueDealerDelivery } from '../dealers/webhook-delivery/enqueue-dealer-delivery.ts'
import { carFactsOf, dealerOf, financingOf, personOf, termsOf, unreachable } from '../deals/mappers.ts'
import { notifyPassed } from '../deals/notify.ts'
import { type Origin, recordDealEvent } from '../deals/open-deal.ts'
import * as store from '../deals/repository.ts'
import * as tradeStore from '../deals/trade-repository.ts'
import type { DealView } from '../deals/views.ts'
import { tradesByIds } from '../trades/actions.ts'
import { packageHash, sha256 } from './evidence.ts'
import { appendToLog } from './evidence-log/log.ts'
import type { Entry } from './evidence-log/log-repository.ts'
import * as evidenceStore from './evidence-repository.ts'
import { agreedPhotos, insertShownPhotos } from './shown-photos.ts'
import { findPackage } from './signed-views.ts'

/** Draws the PDF that is kept, once the package is there to draw it from. */
export const keepAgreementJob = 'keep-agreement'

/**
 * Freezes what both have signed into the final package and passes the deal on. The caller holds the locks, and leaves it to this to put
 * `signature`, which completed the pair, into the log.
 */
export async function createDealPackage(
  deps: Deps,
  tx: Db,
  by: Origin,
  side: 'SELLER' | 'BUYER',
  view: DealView,
  signature: Entry,
): Promise<void> {
  const terms = termsOf(view)
  const { deal, car, sellerSignature, buyerSignature } = view
  if (!terms || !sellerSignature || !buyerSignature) throw apiErrors.Unavailable()
  const id = newId()
  const dealer = dealerOf(view.dealer, deps.config.dealer)
  const inRequest = await tradeStore.findTradesOfDeal(tx, { dealId: deal.id })
  const trades = await tradesByIds(
    tx,
    inRequest.map((trade) => trade._id),
  )
  const sheet = sheetOf(terms)
  const contents: StoredPackage1 = {
    _id: id,
    createdAt: view.now.toISOString(),
    dealer: dealer.name,
    seller: personOf(view.seller),
    buyer: personOf(view.buyer),
    car: { vin: car.vin, ...carFactsOf(car), photos: await agreedPhotos(tx, view) },
    price: terms.price,
    agreement: {
      terms,
      sheet,
      hash: sha256(sheet).toString('hex'),
      textVersion: terms.textVersion,
      seller: signatureIn(sellerSignature),
      buyer: signatureIn(buyerSignature),
    },
    financing: financingOf(deal),
    trades,
  }
  await insertShownPhotos(
    tx,
    view,
    trades.flatMap((trade) => trade.photos),
  )
  const kept = storedPackage1.encode(contents)
  await evidenceStore.insertPackage(tx, { id, dealId: deal.id, contents: kept })
  await store.saveDeal(tx, deal.id, { passedAt: now, packageId: id, dealerId: view.dealer.id })
  await recordDealEvent(tx, deal.id, side, by, { event: 'passed', dealer: dealer.name })
  await enqueueDealerDelivery(deps, tx, {
    dealId: deal.id,
    dealerId: view.dealer.id,
    packageId: id,
    car: carName({ year: car.year, make: car.make, carModel: car.model, trim: car.trim }),
    wantsFinancing: contents.financing?.contactConsent === true,
  })
  await addJob(tx, keepAgreementJob, { packageId: id }, { key: `agreement of ${id}` })
  // Last but for the letters, which name its head.
  const head = await appendToLog(deps, tx, [
    signature,
    { kind: 'package', rowId: id, digest: packageHash(kept) },
  ])
  await notifyPassed(deps, tx, view, { packageId: id, head })
}

/** The package for a party to it or the administrator; for everybody else there is none. */
export async function readPackage(
  deps: Deps,
  { user, administrator }: Caller,
  id: string,
): Promise<DealPackage> {
  const [row] = await findPackage(deps.db, { id })
  const isParty = row && user?.verified && (user.id === row.sellerId || user.id === row.buyerId)
  if (!row || !(isParty || administrator)) throw apiErrors.NotFound()
  return {
    ...withoutContact(packedOf(row.contents), row),
    completed: row.completedAt !== null,
    completedAt: row.completedAt?.toISOString() ?? null,
  }
}

/** Decodes a stored package in the version that it was written in (R-deals-89); contact data are never left out of it. */
export const packedOf = (contents: unknown): StoredPackage1 => storedPackage1.parse(contents)

/** A package for the dealer that it goes to; null when there is none. */
export async function openPackage(db: Db, id: string) {
  const [row] = await findPackage(db, { id })
  if (!row) return null
  const deal = withoutContact(packedOf(row.contents), row)
  return { deal, contents: row.contents, dealId: row.dealId, dealerId: row.dealerId }
}

type Left = { sellerLeft: boolean; buyerLeft: boolean }

/**
 * What is kept stays whole, for it is evidence; how to reach who has deleted their account is shown to nobody any more,
 * and neither are their own words about a trade-in. Names and signatures stand as they were signed.
 */
const withoutContact = (deal: StoredPackage1, { sellerLeft, buyerLeft }: Left): StoredPackage1 => ({
  ...deal,
  seller: sellerLeft ? unreachable(deal.seller) : deal.seller,
  buyer: buyerLeft ? unreachable(deal.buyer) : deal.buyer,
  trades: buyerLeft ? deal.trades.map((trade) => ({ ...trade, message: '' })) : deal.trades,
})

type Signed = { name: string; signature: string; drawing: string | null; signedAt: Date; hash: Buffer }
const signatureIn = (signature: Signed) => ({
  name: signature.name,
  signature: signature.signature,
  ...(signature.drawing !== null && { drawing: signature.drawing }),
  signedAt: signature.signedAt.toISOString(),
  digest: signature.hash.toString('hex'),
})
