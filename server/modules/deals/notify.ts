import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { describeCarChange, type EventCar } from '@keyturn/contract/deals/events.ts'
import { type DealTurn, isReserved } from '@keyturn/contract/deals/rules.ts'
import { type Cents, cents } from '@keyturn/contract/shared/money.ts'
import type { Deps } from '../../deps.ts'
import type { Db } from '../../platform/database/open-database.ts'
import type { CarRow } from '../cars/tables.ts'
import { publishChange } from '../notifications/events/publish-change.ts'
import { type NotifyInput, notify, notifyEach } from '../notifications/notify.ts'
import type { DealView } from './deal-view-repository.ts'
import { toDealerContact } from './mappers.ts'
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
  await publishChange(tx, [car.sellerId, ...all.map((deal) => deal.buyerId)], 'cars', 'deals')
}

type About = NotifyInput<'requestReceived'>['about']
export const aboutDeal = ({ deal, car }: Pick<DealView, 'deal' | 'car'>): About => ({
  dealId: deal.id,
  buyerId: deal.buyerId,
  ...aboutCar(car),
})

const aboutCar = (car: CarRow) => ({ carId: car.id, sellerId: car.sellerId, vin: car.vin })

/**
 * Notifies the seller. `before` is the deal before the request: a price in it means the request was
 * changed.
 */
export function notifyRequested(deps: Deps, tx: Db, before: DealView, price: Cents): Promise<void> {
  const { car, buyer, deal } = before
  const facts = { car: carNameOf(car), buyer: fullName(buyer), price }
  const about = aboutDeal(before)
  if (deal.priceCents === null) return notify(deps, tx, 'requestReceived', { about, facts })
  return notify(deps, tx, 'requestChanged', { about, facts: { ...facts, from: cents(deal.priceCents) } })
}

export type Repriced = { id: string; buyerId: string; from: Cents | null }

export function notifyRepriced(
  deps: Deps,
  tx: Db,
  car: CarRow,
  deals: readonly Repriced[],
  to: Cents,
): Promise<void> {
  const notices = deals.map(({ id, buyerId, from }) => ({
    about: { dealId: id, buyerId, ...aboutCar(car) },
    facts: { car: carNameOf(car), from, to },
  }))
  return notifyEach(deps, tx, 'priceChanged', notices)
}

/** Notifies the buyer, and the other buyers that they are now waiting (R-deals-22). */
export async function notifyConfirmed(deps: Deps, tx: Db, view: DealView): Promise<void> {
  const car = carNameOf(view.car)
  const waiting = await findWaitingBuyers(tx, view)
  await notify(deps, tx, 'requestConfirmed', {
    about: aboutDeal(view),
    facts: { car, seller: fullName(view.seller) },
    waiting,
  })
}

export async function notifyDenied(deps: Deps, tx: Db, view: DealView, message: string): Promise<void> {
  const car = carNameOf(view.car)
  await notify(deps, tx, 'requestDenied', { about: aboutDeal(view), facts: { car, message } })
}

export async function notifyReleased(deps: Deps, tx: Db, view: DealView, message: string): Promise<void> {
  const car = carNameOf(view.car)
  const waiting = await findWaitingBuyers(tx, view)
  await notify(deps, tx, 'requestReleased', { about: aboutDeal(view), facts: { car, message }, waiting })
}

/** Notifies the seller and, when the confirmed buyer withdrew, the waiting buyers. */
export async function notifyWithdrawn(deps: Deps, tx: Db, view: DealView): Promise<void> {
  const wasConfirmed = isReserved(view.deal.status)
  const facts = { car: carNameOf(view.car), buyer: fullName(view.buyer), wasConfirmed }
  const waiting = wasConfirmed ? await findWaitingBuyers(tx, view) : []
  await notify(deps, tx, 'requestWithdrawn', { about: aboutDeal(view), facts, waiting })
}

/** Notifies every buyer who requested the car that the listing is gone. */
export async function notifyListingRemoved(deps: Deps, tx: Db, car: CarRow): Promise<void> {
  const name = carNameOf(car)
  const waiting = await store.findWaitingBuyerEmails(tx, { carId: car.id, exceptDealId: '' })
  await notify(deps, tx, 'listingRemoved', { about: aboutCar(car), facts: { car: name }, waiting })
}

/** Notifies every buyer whose request had other terms; their signatures are void (R-deals-25). */
export async function notifyTermsChanged(
  deps: Deps,
  tx: Db,
  car: CarRow,
  change: { from: EventCar; to: EventCar },
): Promise<void> {
  const name = carNameOf(car)
  const fromTo = describeCarChange(change)
  const waiting = await store.findWaitingBuyerEmails(tx, { carId: car.id, exceptDealId: '' })
  await notify(deps, tx, 'carChanged', { about: aboutCar(car), facts: { car: name, ...fromTo }, waiting })
}

export async function notifyCompleted(deps: Deps, tx: Db, view: DealView): Promise<void> {
  const car = carNameOf(view.car)
  const dealer = toDealerContact(view.dealer, deps.config.dealer).name
  const waiting = await findWaitingBuyers(tx, view)
  await notify(deps, tx, 'saleCompleted', { about: aboutDeal(view), facts: { car, dealer }, waiting })
}

export async function notifyCancelled(deps: Deps, tx: Db, view: DealView, reason: string): Promise<void> {
  const car = carNameOf(view.car)
  const dealer = toDealerContact(view.dealer, deps.config.dealer).name
  const waiting = await findWaitingBuyers(tx, view)
  await notify(deps, tx, 'saleCalledOff', { about: aboutDeal(view), facts: { car, dealer, reason }, waiting })
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
      facts: { car, buyer: fullName(view.buyer), isLast: view.sellerSignature !== null },
    })
  const facts = {
    car,
    seller: fullName(view.seller),
    until: view.buyerSignature ? null : until.toISOString(),
  }
  return notify(deps, tx, 'sellerSigned', { about, facts })
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
  const waiting = await findWaitingBuyers(tx, view)
  await notify(deps, tx, 'holdEnded', { about: aboutDeal(view), facts: { car }, waiting })
}

type Waiting = Awaited<ReturnType<typeof store.findWaitingBuyerEmails>>[number]

const findWaitingBuyers = (tx: Db, { car, deal }: DealView): Promise<Waiting[]> =>
  store.findWaitingBuyerEmails(tx, { carId: car.id, exceptDealId: deal.id })
