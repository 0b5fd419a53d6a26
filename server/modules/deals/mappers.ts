import type { Person } from '@keyturn/contract/accounts/endpoints.ts'
import { fullName } from '@keyturn/contract/accounts/rules.ts'
import type { DealerDetails } from '@keyturn/contract/cars/car-pages.ts'
import type { Car } from '@keyturn/contract/cars/endpoints.ts'
import { decodeDealEvent, eventLines, type RecordedDealEvent } from '@keyturn/contract/deals/events.ts'
import { amountToFinanceAt } from '@keyturn/contract/deals/financing.ts'
import { type DealFacts, isReserved } from '@keyturn/contract/deals/rules.ts'
import type {
  CalledOffSale,
  DashboardCar,
  Financing,
  Progress,
  SoldCar,
  TimelineEntry,
} from '@keyturn/contract/deals/shapes.ts'
import type { BuyerStage, ProgressFacts } from '@keyturn/contract/deals/stages.ts'
import { currentTextVersion, decodeTerms, leftToPay, type Terms } from '@keyturn/contract/deals/terms.ts'
import { localDay } from '@keyturn/contract/deals/time-zones.ts'
import { type Cents, cents } from '@keyturn/contract/shared/money.ts'
import { sanitizeLine } from '@keyturn/contract/shared/visible-text.ts'
import type { Config } from '../../config.ts'
import { stateOfZip } from '../../integrations/sales-tax/tax-rates.ts'
import { toCar, toCarDetails, toDealerContact, toLoan, toSaleStatus, toSellerCar } from '../cars/mappers.ts'
import type { SellerRow } from './dashboards/seller-dashboard-repository.ts'
import type { findSoldCars } from './dashboards/sold-cars-repository.ts'
import type { BuyerDeal, DealView, TimelineRow } from './deal-view-repository.ts'
import { readDealerSteps } from './dealer-steps.ts'

export const money = (value: number | null): Cents | null => (value === null ? null : cents(value))
const iso = (value: Date | null): string | null => value?.toISOString() ?? null

export const toPerson = (row: {
  id: string
  firstName: string
  lastName: string
  email: string | null
  phoneNumber: string
}): Person => ({
  _id: row.id,
  firstName: row.firstName,
  lastName: row.lastName,
  email: row.email ?? '',
  phoneNumber: row.phoneNumber,
})

/** Removes the contact data of a person whom the reader may no longer contact. */
export const withoutContactData = (person: Person): Person => ({ ...person, email: '', phoneNumber: '' })

export const toDealFacts = ({
  deal,
  sellerSignature,
  buyerSignature,
  isPaused,
  now,
}: DealView): DealFacts => ({
  status: deal.status,
  sellerSigned: sellerSignature !== null,
  buyerSigned: buyerSignature !== null,
  isPassed: deal.passedAt !== null,
  hasHoldEnded: deal.exclusiveUntil !== null && deal.exclusiveUntil <= now,
  hasLapsed: deal.lapsedAt !== null,
  isPaused,
})

export function toProgressFacts(view: DealView): ProgressFacts {
  const { deal, buyerSignature } = view
  return {
    activeStep: wizardStepOf(view),
    hasTrade: deal.hasTrade,
    needsFinancing: deal.needsFinancing,
    chosenTrades: deal.chosenTradeVins.length,
    pendingTradeApproval: isTradePending(view),
    isRequested: deal.status !== 'STARTED',
    isConfirmed: isReserved(deal.status),
    buyerSigned: buyerSignature !== null,
  }
}

/**
 * The buyer's wizard step. An accepted trade leads back to choosing it, no matter which party
 * accepted it (R-deals-12).
 */
function wizardStepOf(view: DealView): BuyerStage {
  if (view.buyerSignature !== null) return 7
  return isTradeToChoose(view) ? 1 : (view.deal.activeStep as BuyerStage)
}

const isTradeToChoose = (view: DealView): boolean => {
  const { hasTrade, chosenTradeVins, activeStep, status } = view.deal
  const isPast = activeStep >= 3 && activeStep <= 5
  return (
    isPast && !isReserved(status) && hasTrade === true && chosenTradeVins.length === 0 && view.hasFreeTrade
  )
}

/**
 * True when the buyer wants a trade-in, has selected none, has no accepted trade to select, and one
 * of their trades is still open (R-deals-12).
 */
const isTradePending = ({ deal, openTrades, hasFreeTrade }: DealView): boolean =>
  deal.hasTrade === true && deal.chosenTradeVins.length === 0 && openTrades > 0 && !hasFreeTrade

/** The answers to the trade question, taken from the sent request. */
export const toRequestedTrades = ({ requestTradeVins }: DealView) => ({
  hasTrade: requestTradeVins.length > 0,
  chosenTradeVins: requestTradeVins,
})

/**
 * Hides the buyer's draft. After sending a request, only the buyer sees the changes that they have
 * made to it since then; the seller sees the request, and so does the buyer once it is confirmed.
 */
function hideDraft(readerId: string | null, view: DealView): DealView {
  const { deal } = view
  const isDraft = deal.status === 'STARTED' || (readerId === deal.buyerId && !isReserved(deal.status))
  return isDraft ? view : { ...view, deal: { ...deal, ...toRequestedTrades(view) } }
}

/** The terms that would be signed now; after the first signature, exactly the terms it covers. */
export function toTerms(
  { deal, car, seller, buyer, sellerSignature, buyerSignature, requestTrades }: DealView,
  { legalTexts }: Pick<Config, 'legalTexts'>,
): Terms | null {
  const signed = sellerSignature ?? buyerSignature
  if (signed) return decodeTerms(signed.terms)
  if (deal.priceCents === null) return null
  const price = cents(deal.priceCents)
  const trades = requestTrades.map(({ make, model, lender = '', ...trade }) => ({
    ...trade,
    make: sanitizeLine(make),
    model: sanitizeLine(model),
    lender: sanitizeLine(lender),
  }))
  const termsAt = new Date(Math.max(+deal.termsAt, +car.termsAt))
  const loan = toLoan(car)
  return {
    date: termsAt.toISOString(),
    ...localDay(termsAt, { zip: car.zipCode, state: car.zipCode && stateOfZip(car.zipCode) }),
    sellerName: fullName(seller),
    buyerName: fullName(buyer),
    make: sanitizeLine(car.make),
    model: sanitizeLine(car.model),
    year: car.year,
    vin: car.vin,
    mileage: car.mileage,
    price,
    trades,
    leftToPay: leftToPay(price, trades),
    sellerOwes: car.payoff,
    sellerPayoffAmount: loan.payoffAmount,
    sellerLender: loan.lender,
    ...(legalTexts?.agreement ?? { textVersion: currentTextVersion }),
  }
}

/** Returns the financing wish at the deal's current price; null without financing. */
export function toFinancing({ financing, needsFinancing, priceCents }: DealView['deal']): Financing | null {
  if (financing === null || needsFinancing === false) return null
  return priceCents === null
    ? financing
    : { ...financing, amount: amountToFinanceAt(cents(priceCents), financing) }
}

/** A deal that is over cannot be paused. */
export const isOpenAndPaused = ({
  isPaused,
  deal,
}: Pick<DealView, 'deal'> & { isPaused: boolean | null }): boolean =>
  isPaused === true && deal.withdrawnAt === null && deal.status !== 'COMPLETED'

const isCalledOff = ({ passedAt, withdrawnAt }: DealView['deal']): boolean =>
  passedAt !== null && withdrawnAt !== null

/** A step reported by the dealer proves delivery, no matter how the deal arrived. */
const deliveryOf = (view: DealView): Progress['delivery'] =>
  view.delivery !== null && readDealerSteps(view.dealerEvents).length > 0 ? 'DELIVERED' : view.delivery

/** Maps a deal to what `readerId` may read; null reads as neither party (R-deals-2). */
export function toProgress(
  stored: DealView,
  config: Pick<Config, 'dealer' | 'legalTexts' | 'supportContact'>,
  readerId: string | null,
): Progress {
  const view = hideDraft(readerId, stored)
  const dealer = toDealerContact(view.dealer, config.dealer)
  const { deal, car, seller, buyer, sellerSignature, buyerSignature } = view
  const facts = toDealFacts(view)
  const reached = (step: number) => deal.reachedStep >= step
  return {
    _id: deal.id,
    sellerId: deal.sellerId,
    buyerId: deal.buyerId,
    vin: car.vin,
    completed: deal.status === 'COMPLETED',
    tradeVins: deal.chosenTradeVins,
    requestTradeVins: view.requestTradeVins,
    owedTradeVins: view.owedTradeVins,
    pendingTradeInApproval: isTradePending(view),
    activeBuyerStep: wizardStepOf(view),
    buyerStep1: reached(1),
    buyerStep2: reached(2),
    buyerStep3: reached(3),
    buyerStep4: reached(4),
    buyerStep5: reached(5),
    buyerStep6: reached(6),
    sellerStep0: deal.acceptedAt !== null,
    sellerStep1: isReserved(deal.status),
    sellerStep2: facts.sellerSigned,
    sellerStep3: deal.status === 'COMPLETED',
    agreementSigned: facts.sellerSigned || facts.buyerSigned,
    fullySigned: facts.sellerSigned && facts.buyerSigned,
    sellerSigned: facts.sellerSigned,
    sellerSignedName: sellerSignature?.name ?? null,
    sellerSignature: sellerSignature?.signature ?? null,
    sellerDrawing: sellerSignature?.drawing ?? null,
    sellerSignedAt: iso(sellerSignature?.signedAt ?? null),
    buyerSigned: facts.buyerSigned,
    buyerSignedName: buyerSignature?.name ?? null,
    buyerSignature: buyerSignature?.signature ?? null,
    buyerDrawing: buyerSignature?.drawing ?? null,
    buyerSignedAt: iso(buyerSignature?.signedAt ?? null),
    hasTrade: deal.hasTrade,
    needsFinancing: deal.needsFinancing,
    financing: toFinancing(deal),
    status: toSaleStatus(deal.status),
    price: money(deal.priceCents),
    askingPrice: money(car.priceCents),
    proposedPrice: money(view.proposal),
    message: deal.sellerMessage,
    version: deal.version,
    exclusiveUntil: iso(deal.exclusiveUntil),
    exclusivityExpired: facts.hasLapsed,
    passedAt: iso(deal.passedAt),
    pkgId: deal.packageId,
    delivery: deliveryOf(view),
    taken: view.taken,
    soldElsewhere: deal.soldElsewhere,
    calledOff: isCalledOff(deal),
    isPaused: isOpenAndPaused(view),
    pausedContact: isOpenAndPaused(view) ? config.supportContact : null,
    terms: toTerms(view, config),
    // A buyer who lost the car has nothing left to agree on with its seller.
    seller: deal.soldElsewhere ? withoutContactData(toPerson(seller)) : toPerson(seller),
    buyer: toPerson(buyer),
    dealerName: dealer.name,
    dealerAddress: dealer.address,
    dealerPhone: dealer.phone,
    dealerHours: dealer.hours,
    dealerSteps: readDealerSteps(view.dealerEvents),
    sellerState: car.zipCode === null ? null : stateOfZip(car.zipCode),
    now: view.now.toISOString(),
    carDetails: toCarDetails(car),
  }
}

/** Maps a buyer's car: price, state and message come from their own request. */
export const toBuyerCar = ({ deal, car, taken }: Pick<BuyerDeal, 'deal' | 'car' | 'taken'>): Car =>
  toCar(car, {
    buyerId: deal.buyerId,
    price: deal.status === 'STARTED' ? money(car.priceCents) : money(deal.priceCents),
    status: toSaleStatus(deal.status),
    message: deal.sellerMessage,
    version: deal.version,
    requestVersion: deal.version,
    taken,
    soldElsewhere: deal.soldElsewhere,
    fullySigned: deal.passedAt !== null && !isCalledOff(deal),
  })

export const toSellerDashboardCar = (row: SellerRow, defaultDealer: DealerDetails): DashboardCar => ({
  ...toSellerCar(row),
  ...toLoan(row.car),
  askingPrice: money(row.car.priceCents),
  deal: row.deal && dashboardDeal(row.deal, row),
  calledOff: false,
  calledOffSales: row.calledOff.map(calledOffSaleOf),
  agreedPrice: agreedPriceOf(row.deal),
  waitingOffers: row.waiting.count,
  bestOffer: money(row.waiting.best),
  deniedRequests: row.deniedRequests,
  dealerName: row.dealerName ?? defaultDealer.name,
  newMessages: row.newMessages,
})

export const toBuyerDashboardCar = (row: BuyerDeal, defaultDealer: DealerDetails): DashboardCar => ({
  ...toBuyerCar(row),
  askingPrice: money(row.car.priceCents),
  deal: dashboardDeal({ ...row.deal, proposal: row.proposal }, row),
  calledOff: isCalledOff(row.deal),
  calledOffSales: [],
  agreedPrice: agreedPriceOf(row.deal),
  waitingOffers: 0,
  bestOffer: null,
  deniedRequests: 0,
  dealerName: row.dealerName ?? defaultDealer.name,
  newMessages: row.newMessages,
})

const calledOffSaleOf = ({
  id,
  buyerId,
  at,
  facts,
  ...buyer
}: SellerRow['calledOff'][number]): CalledOffSale => {
  const { dealer, reason } = decodeDealEvent(facts) as Extract<
    RecordedDealEvent,
    { event: 'dealerCancelled' }
  >
  return { _id: id, buyerId, buyer: fullName(buyer), dealer, reason, at: new Date(at).toISOString() }
}

const agreedPriceOf = (deal: Pick<BuyerDeal['deal'], 'status' | 'priceCents'> | null): Cents | null =>
  deal && isReserved(deal.status) ? money(deal.priceCents) : null

const dashboardDeal = (
  deal: NonNullable<SellerRow['deal']>,
  { signed, dealerEvents, isPaused }: Pick<SellerRow, 'signed' | 'dealerEvents' | 'isPaused'>,
): DashboardCar['deal'] => ({
  price: money(deal.priceCents),
  proposedPrice: money(deal.proposal),
  sellerSigned: signed.seller,
  buyerSigned: signed.buyer,
  exclusiveUntil: iso(deal.exclusiveUntil),
  exclusivityExpired: deal.lapsedAt !== null,
  isPaused: isPaused === true && deal.status !== 'COMPLETED',
  passedAt: iso(deal.passedAt),
  dealerStep: readDealerSteps(dealerEvents).at(-1) ?? null,
})

export function toTimelineEntry(row: TimelineRow): TimelineEntry {
  const facts = decodeDealEvent(row.facts)
  // Keyturn passes a deal on, although the event records the party that signed last.
  const isByParty = row.event !== 'passed'
  return {
    at: row.at.toISOString(),
    actor: isByParty ? row.actor : 'CLOCK',
    ...(isByParty && row.firstName && row.lastName
      ? { name: fullName({ firstName: row.firstName, lastName: row.lastName }) }
      : actingDealer(row.actor, facts)),
    event: row.event,
    ...eventLines(facts),
    facts,
  }
}

/** Names the dealer, but none of its staff. */
const actingDealer = (actor: TimelineRow['actor'], facts: RecordedDealEvent): { name?: string } =>
  actor === 'DEALER' && 'dealer' in facts && facts.dealer ? { name: facts.dealer } : {}

export const toSoldCar = (row: Awaited<ReturnType<typeof findSoldCars>>[number]): SoldCar => ({
  _id: row.id,
  sellerId: { _id: row.sellerId, firstName: row.sellerFirstName, lastName: row.sellerLastName },
  buyerId: { _id: row.buyerId, firstName: row.buyerFirstName, lastName: row.buyerLastName },
  vin: row.vin,
  completed: row.status === 'COMPLETED',
  tradeVins: row.tradeVins,
  carDetails: { make: row.make, carModel: row.model, year: row.year },
})
