import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import type { EventLines } from '@keyturn/contract/deals/events.ts'
import { type DealTurn, findDealMove, isReserved } from '@keyturn/contract/deals/rules.ts'
import type { EventFacts } from '@keyturn/contract/notifications/event-facts.ts'
import { type Cents, cents } from '@keyturn/contract/shared/money.ts'
import type { Deps } from '../../deps.ts'
import type { Db } from '../../platform/database/open-database.ts'
import { toDealerContact } from '../cars/mappers.ts'
import type { CarRow } from '../cars/tables.ts'
import { publishChange } from '../notifications/events/publish-change.ts'
import { type NotifyInput, notify, notifyEach, type OtherBuyer } from '../notifications/notify.ts'
import type { DealView } from './deal-view-repository.ts'
import { money, toDealFacts } from './mappers.ts'
import * as store from './repository.ts'

// One function per event of the contract's `notifications/events.ts`. Notifications and emails are
// written in the caller's transaction.

export const carNameOf = (car: CarRow): string =>
  carName({ year: car.year, make: car.make, carModel: car.model, trim: car.trim })

/**
 * Refreshes the car on the open pages of its seller and of all its buyers, because its state
 * concerns the other buyers too.
 */
export async function publishCarChange(tx: Db, car: CarRow): Promise<void> {
  const all = await store.findDealsOfCar(tx, { carId: car.id })
  await publishChange(tx, [car.sellerId, ...all.map((deal) => deal.buyerId)], 'cars', 'deals', 'trades')
}

type About = NotifyInput<'requestReceived'>['about']
export const aboutDeal = ({ deal, car }: Pick<DealView, 'deal' | 'car'>): About => ({
  dealId: deal.id,
  buyerId: deal.buyerId,
  ...aboutCar(car),
})

const aboutCar = (car: CarRow) => ({ carId: car.id, sellerId: car.sellerId, vin: car.vin })

/**
 * Notifies the seller of a request. `before` is the deal before it: if it has a price, the buyer has
 * changed an earlier request.
 */
export function notifyRequested(deps: Deps, tx: Db, before: DealView, price: Cents): Promise<void> {
  const { car, buyer, deal } = before
  const facts = { car: carNameOf(car), buyer: fullName(buyer), price }
  const about = aboutDeal(before)
  if (deal.priceCents === null) return notify(deps, tx, 'requestReceived', { about, facts })
  return notify(deps, tx, 'requestChanged', {
    about,
    facts: { ...facts, from: cents(deal.priceCents), isReserved: before.taken },
  })
}

type Offer = Pick<DealView['deal'], 'id' | 'buyerId' | 'priceCents'>

/** Notifies buyers of a new asking price; `car` still has the old one (R-deals-25). */
export function notifyAskingPrice(
  deps: Deps,
  tx: Db,
  car: CarRow,
  to: Cents,
  offers: readonly Offer[],
): Promise<void> {
  const notices = offers.map(({ id, buyerId, priceCents }) => ({
    about: { dealId: id, buyerId, ...aboutCar(car) },
    facts: { car: carNameOf(car), from: money(car.priceCents), to, offer: cents(priceCents ?? 0) },
  }))
  return notifyEach(deps, tx, 'priceChanged', notices)
}

export function notifyProposed(deps: Deps, tx: Db, view: DealView, price: Cents): Promise<void> {
  const { car, seller, deal } = view
  const facts = { car: carNameOf(car), seller: fullName(seller), price, offer: cents(deal.priceCents ?? 0) }
  return notify(deps, tx, 'priceProposed', { about: aboutDeal(view), facts })
}

export function notifyProposalAnswered(
  deps: Deps,
  tx: Db,
  view: DealView,
  { isAccepted, ...prices }: { isAccepted: boolean; proposed: Cents; offer: Cents },
): Promise<void> {
  const facts = { car: carNameOf(view.car), buyer: fullName(view.buyer), ...prices }
  const about = aboutDeal(view)
  return notify(deps, tx, isAccepted ? 'proposalAccepted' : 'proposalDeclined', { about, facts })
}

/** Notifies the confirmed buyer, and tells buyers with a pending request to wait (R-deals-22). */
export async function notifyConfirmed(deps: Deps, tx: Db, view: DealView): Promise<void> {
  const car = carNameOf(view.car)
  const others = await findOtherBuyers(tx, view)
  await notify(deps, tx, 'requestConfirmed', {
    about: aboutDeal(view),
    facts: { car, seller: fullName(view.seller), buyerSigned: view.buyerSignature !== null },
    others,
  })
}

export async function notifyDenied(deps: Deps, tx: Db, view: DealView, message: string): Promise<void> {
  const car = carNameOf(view.car)
  await notify(deps, tx, 'requestDenied', { about: aboutDeal(view), facts: { car, message } })
}

export async function notifyReleased(deps: Deps, tx: Db, view: DealView, message: string): Promise<void> {
  const car = carNameOf(view.car)
  const others = await findOtherBuyers(tx, view)
  await notify(deps, tx, 'requestReleased', { about: aboutDeal(view), facts: { car, message }, others })
}

/** Notifies the seller and, when the confirmed buyer withdrew, the other buyers. */
export async function notifyWithdrawn(deps: Deps, tx: Db, view: DealView): Promise<void> {
  const wasConfirmed = isReserved(view.deal.status)
  const facts = { car: carNameOf(view.car), buyer: fullName(view.buyer), wasConfirmed }
  const others = wasConfirmed ? await findOtherBuyers(tx, view) : []
  await notify(deps, tx, 'requestWithdrawn', { about: aboutDeal(view), facts, others })
}

/** Notifies every buyer who requested the car that the listing is gone. */
export async function notifyListingRemoved(deps: Deps, tx: Db, car: CarRow): Promise<void> {
  const name = carNameOf(car)
  const others = await store.findOtherBuyers(tx, { carId: car.id, exceptDealId: '' })
  await notify(deps, tx, 'listingRemoved', { about: aboutCar(car), facts: { car: name }, others })
}

/**
 * Notifies every buyer with a pending request that its terms have changed, which voids their
 * signature (R-deals-25).
 */
export async function notifyTermsChanged(
  deps: Deps,
  tx: Db,
  car: CarRow,
  { from, to }: Required<EventLines>,
): Promise<void> {
  const name = carNameOf(car)
  const others = await store.findOtherBuyers(tx, { carId: car.id, exceptDealId: '' })
  await notify(deps, tx, 'carChanged', { about: aboutCar(car), facts: { car: name, from, to }, others })
}

export async function notifyCompleted(deps: Deps, tx: Db, view: DealView): Promise<void> {
  const car = carNameOf(view.car)
  const dealer = toDealerContact(view.dealer, deps.config.dealer).name
  const others = await findOtherBuyers(tx, view)
  await notify(deps, tx, 'saleCompleted', { about: aboutDeal(view), facts: { car, dealer }, others })
}

export async function notifyCancelled(deps: Deps, tx: Db, view: DealView, reason: string): Promise<void> {
  const car = carNameOf(view.car)
  const dealer = toDealerContact(view.dealer, deps.config.dealer).name
  const others = await findOtherBuyers(tx, view)
  await notify(deps, tx, 'saleCalledOff', { about: aboutDeal(view), facts: { car, dealer, reason }, others })
}

export async function notifyTradeRemoved(deps: Deps, tx: Db, view: DealView): Promise<void> {
  const facts = { car: carNameOf(view.car), buyer: fullName(view.buyer) }
  await notify(deps, tx, 'tradeInRemoved', { about: aboutDeal(view), facts })
}

/**
 * Notifies the other party. `view` is the deal before the signature; `until` is the end of the hold
 * that a seller's signature starts.
 */
export function notifySigned(
  deps: Deps,
  tx: Db,
  side: 'SELLER' | 'BUYER',
  view: DealView,
  until: Date,
): Promise<void> {
  const about = aboutDeal(view)
  const car = carNameOf(view.car)
  if (side === 'BUYER')
    return notify(deps, tx, 'buyerSigned', {
      about,
      facts: { car, buyer: fullName(view.buyer), sellersMove: findSellersMove(view) },
    })
  const facts = {
    car,
    seller: fullName(view.seller),
    until: view.buyerSignature ? null : until.toISOString(),
  }
  return notify(deps, tx, 'sellerSigned', { about, facts })
}

/** Returns the seller's next move after the buyer's signature; null once the seller has signed. */
function findSellersMove(view: DealView): EventFacts['buyerSigned']['sellersMove'] {
  const deal = toDealFacts(view)
  if (deal.sellerSigned) return null
  if (findDealMove(deal, 'SELLER', 'sign')) return 'sign'
  return view.taken ? 'none' : 'confirm'
}

export function notifyTurn(deps: Deps, tx: Db, view: DealView, turn: DealTurn): Promise<void> {
  const about = aboutDeal(view)
  const car = carNameOf(view.car)
  const [seller, buyer] = [fullName(view.seller), fullName(view.buyer)]
  switch (turn) {
    case 'sellerAnswers':
      return notify(deps, tx, 'requestUnanswered', {
        about,
        facts: { car, buyer, price: cents(view.deal.priceCents ?? 0) },
      })
    case 'buyerAnswers':
      return notify(deps, tx, 'proposalUnanswered', {
        about,
        facts: { car, seller, price: cents(view.proposal ?? 0) },
      })
    case 'sellerSigns':
      return notify(deps, tx, 'sellerUnsigned', {
        about,
        facts: { car, buyer, buyerSigned: view.buyerSignature !== null },
      })
    case 'buyerSigns':
      return notify(deps, tx, 'buyerUnsigned', {
        about,
        facts: { car, seller, isConfirmed: isReserved(view.deal.status) },
      })
    case 'buyerAsksAgain':
      return notify(deps, tx, 'refusalUnanswered', { about, facts: { car } })
  }
}

export function notifyDealUnanswered(deps: Deps, tx: Db, view: DealView): Promise<void> {
  const dealer = toDealerContact(view.dealer, deps.config.dealer).name
  return notify(deps, tx, 'dealUnanswered', {
    about: { passedDealId: view.deal.id },
    facts: { car: carNameOf(view.car), dealer },
  })
}

export function notifyHoldEndsSoon(deps: Deps, tx: Db, view: DealView, until: Date): Promise<void> {
  const facts = { car: carNameOf(view.car), until: until.toISOString() }
  return notify(deps, tx, 'holdEndsSoon', { about: aboutDeal(view), facts })
}

export async function notifyHoldEnded(deps: Deps, tx: Db, view: DealView): Promise<void> {
  const car = carNameOf(view.car)
  const others = await findOtherBuyers(tx, view)
  await notify(deps, tx, 'holdEnded', { about: aboutDeal(view), facts: { car }, others })
}

/** Notifies the other party that the deal is paused; not why. */
export function notifyPaused(deps: Deps, tx: Db, view: DealView, suspendedId: string): Promise<void> {
  const facts = { car: carNameOf(view.car), writeTo: deps.config.supportContact }
  const event = view.deal.sellerId === suspendedId ? 'sellerSuspended' : 'buyerSuspended'
  return notify(deps, tx, event, { about: aboutDeal(view), facts })
}

export function notifyResumed(deps: Deps, tx: Db, view: DealView, restoredId: string): Promise<void> {
  const event = view.deal.sellerId === restoredId ? 'sellerRestored' : 'buyerRestored'
  return notify(deps, tx, event, { about: aboutDeal(view), facts: { car: carNameOf(view.car) } })
}

const findOtherBuyers = (tx: Db, { car, deal }: DealView): Promise<OtherBuyer[]> =>
  store.findOtherBuyers(tx, { carId: car.id, exceptDealId: deal.id })
