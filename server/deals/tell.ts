import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import type { DealerAnswer } from '@keyturn/contract/deals/dealers/partner.ts'
import { appointmentLine, carChange, type EventCar } from '@keyturn/contract/deals/events.ts'
import { isTaken } from '@keyturn/contract/deals/rules.ts'
import { type Cents, cents } from '@keyturn/contract/kit/money.ts'
import { notices, type Told } from '@keyturn/contract/notifications/texts.ts'
import type { CarRow } from '../cars/tables.ts'
import type { Db } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import type { Letter } from '../mail/letter.ts'
import { sendMail } from '../mail/mails.ts'
import { notify, touch } from '../notifications/actions.ts'
import type { Head } from './evidence-log/log.ts'
import * as letters from './letters.ts'
import * as store from './store.ts'
import type { DealView } from './views.ts'
import { dealerOf } from './wire.ts'

// One function per event: who is told of it, by bell or by letter. What has no bell of its own goes by mail
// (R-notifications-6). All of it leaves with the commit.

const carNameOf = (car: CarRow): string =>
  carName({ year: car.year, make: car.make, carModel: car.model, trim: car.trim })

/** Everyone who has this car before their eyes asks again: its state is news to the other buyers too. */
export async function touchCar(tx: Db, car: CarRow): Promise<void> {
  const all = await store.findDealsOfCar(tx, { carId: car.id })
  await touch(tx, [car.sellerId, ...all.map((deal) => deal.buyerId)], 'cars', 'deals')
}

/** `before` is the deal as it was: a request that had a price already was changed. */
export function tellRequested(tx: Db, before: DealView, price: Cents): Promise<void> {
  const { car, buyer, deal } = before
  const named = { car: carNameOf(car), buyer: fullName(buyer), price }
  const told =
    deal.priceCents === null
      ? notices.buyerOffered(named)
      : notices.buyerChangedOffer({ ...named, from: cents(deal.priceCents) })
  return notify(tx, { recipientId: deal.sellerId, aboutId: deal.buyerId, ...told })
}

export function tellRepriced(
  tx: Db,
  car: CarRow,
  buyerId: string,
  from: Cents | null,
  to: Cents,
): Promise<void> {
  return notify(tx, { recipientId: buyerId, ...notices.priceUpdated({ car: carNameOf(car), from, to }) })
}

/** Tells the buyer by the bell, and the other buyers by bell and mail that they are waiting now (R-deals-22). */
export async function tellConfirmed(deps: Deps, tx: Db, view: DealView): Promise<void> {
  const car = carNameOf(view.car)
  await notify(tx, {
    recipientId: view.deal.buyerId,
    aboutId: view.deal.sellerId,
    ...notices.sellerConfirmed({ car, seller: fullName(view.seller) }),
  })
  await mailWaiting(deps, tx, view, letters.soldElsewhereLetter(deps.config, car))
  await ringWaiting(tx, view, notices.promisedElsewhere({ car }))
}

export async function tellDenied(deps: Deps, tx: Db, view: DealView, message: string): Promise<void> {
  await mail(deps, tx, view.buyer, letters.deniedLetter(deps.config, carNameOf(view.car), message))
}

export async function tellReleased(deps: Deps, tx: Db, view: DealView, message: string): Promise<void> {
  await mail(deps, tx, view.buyer, letters.releasedLetter(deps.config, carNameOf(view.car), message))
  await tellFree(deps, tx, view)
}

/** The seller; when it was the confirmed buyer who left, those who wait as well. */
export async function tellWithdrawn(deps: Deps, tx: Db, view: DealView): Promise<void> {
  const wasConfirmed = isTaken(view.deal.status)
  const named = { car: carNameOf(view.car), buyer: fullName(view.buyer), wasConfirmed }
  await mail(deps, tx, view.seller, letters.withdrawnLetter(deps.config, named))
  if (wasConfirmed) await tellFree(deps, tx, view)
}

/** A car that nobody can ask for any more: whoever has asked for it learns that this is over. */
export async function tellListingRemoved(deps: Deps, tx: Db, car: CarRow): Promise<void> {
  const letter = letters.listingRemovedLetter(deps.config, carNameOf(car))
  for (const person of await store.findWaitingAddresses(tx, { carId: car.id, exceptDealId: '' }))
    await mail(deps, tx, person, letter)
}

/** Whoever has asked for the car on other terms; a signature given on those is void (R-deals-25). */
export async function tellTermsChanged(
  deps: Deps,
  tx: Db,
  car: CarRow,
  change: { from: EventCar; to: EventCar },
): Promise<void> {
  const letter = letters.termsChangedLetter(deps.config, carNameOf(car), carChange(change))
  for (const person of await store.findWaitingAddresses(tx, { carId: car.id, exceptDealId: '' }))
    await mail(deps, tx, person, letter)
}

/** What a dealer says while the deal goes on. */
export type DealerStepSaid = Exclude<DealerAnswer, { step: 'cancelled' }>

/** Both sides, and those who waited for the car in vain. */
export async function tellCompleted(deps: Deps, tx: Db, view: DealView): Promise<void> {
  const car = carNameOf(view.car)
  const dealer = dealerOf(view.dealer, deps.config.dealer).name
  for (const person of [view.buyer, view.seller])
    await mail(deps, tx, person, letters.completedLetter(deps.config, car, dealer))
  await ringBoth(tx, view, (side) => notices.saleCompleted({ car, dealer, side }))
  await mailWaiting(deps, tx, view, letters.soldLetter(deps.config, car))
  await ringWaiting(tx, view, notices.soldElsewhere({ car }))
}

/** Both sides hear each thing that the dealer says, by bell and mail. */
export async function tellDealerStep(
  deps: Deps,
  tx: Db,
  view: DealView,
  said: DealerStepSaid,
  dealer: string,
): Promise<void> {
  const car = carNameOf(view.car)
  await ringBoth(tx, view, (side) => noticeOf(said, { car, dealer, side }))
  for (const person of [view.buyer, view.seller])
    await mail(deps, tx, person, letters.dealerStepLetter(deps.config, { car, dealer, said }))
}

/** The dealer has called off the sale: both, and those who waited. */
export async function tellCancelled(deps: Deps, tx: Db, view: DealView, reason: string): Promise<void> {
  const car = carNameOf(view.car)
  const dealer = dealerOf(view.dealer, deps.config.dealer).name
  await ringBoth(tx, view, (side) => notices.dealerCancelled({ car, dealer, side }))
  await mail(
    deps,
    tx,
    view.buyer,
    letters.calledOffLetter(deps.config, { car, dealer, reason, side: 'BUYER' }),
  )
  await mail(
    deps,
    tx,
    view.seller,
    letters.calledOffLetter(deps.config, { car, dealer, reason, side: 'SELLER' }),
  )
  await tellFree(deps, tx, view)
}

async function ringBoth(tx: Db, { deal }: DealView, told: (side: 'SELLER' | 'BUYER') => Told): Promise<void> {
  await notify(tx, { recipientId: deal.buyerId, ...told('BUYER') })
  await notify(tx, { recipientId: deal.sellerId, ...told('SELLER') })
}

function noticeOf(said: DealerStepSaid, of: { car: string; dealer: string; side: 'SELLER' | 'BUYER' }): Told {
  switch (said.step) {
    case 'accepted':
      return notices.dealerAccepted(of)
    case 'needsDocument':
      return notices.documentNeeded(of)
    case 'appointment':
      return notices.appointmentMade({ ...of, when: appointmentLine(said.place, said.time) })
    case 'paidSeller':
      return notices.sellerPaid(of)
    case 'titleReceived':
      return notices.titleReceived(of)
  }
}

export async function tellTradeRemoved(deps: Deps, tx: Db, view: DealView): Promise<void> {
  const letter = letters.tradeRemovedLetter(deps.config, carNameOf(view.car), fullName(view.buyer))
  await mail(deps, tx, view.seller, letter)
}

export function tellSigned(tx: Db, side: 'SELLER' | 'BUYER', view: DealView): Promise<void> {
  const car = carNameOf(view.car)
  return side === 'SELLER'
    ? notify(tx, {
        recipientId: view.deal.buyerId,
        aboutId: view.deal.sellerId,
        ...notices.sellerSigned({ car, seller: fullName(view.seller) }),
      })
    : notify(tx, {
        recipientId: view.deal.sellerId,
        aboutId: view.deal.buyerId,
        ...notices.buyerSigned({ car, buyer: fullName(view.buyer) }),
      })
}

/** Both sides, with the PDF; it is made by the time the mail leaves. */
export async function tellPassed(
  deps: Deps,
  tx: Db,
  view: DealView,
  { packageId, head }: { packageId: string; head: Head },
): Promise<void> {
  const [buyer, seller] = [fullName(view.buyer), fullName(view.seller)]
  const passed = {
    car: carNameOf(view.car),
    packageId,
    size: head.size,
    root: head.root.toString('hex'),
    dealer: dealerOf(view.dealer, deps.config.dealer),
  }
  for (const [person, other] of [
    [view.buyer, seller],
    [view.seller, buyer],
  ] as const)
    await mail(deps, tx, person, letters.passedLetter(deps.config, { ...passed, other }), packageId)
}

export async function tellHoldEnded(deps: Deps, tx: Db, view: DealView): Promise<void> {
  const car = carNameOf(view.car)
  for (const person of [view.buyer, view.seller])
    await mail(deps, tx, person, letters.holdEndedLetter(deps.config, car))
  await tellFree(deps, tx, view)
}

/** The sale to another buyer is off: those who wait are in play again. */
const tellFree = (deps: Deps, tx: Db, view: DealView): Promise<void> =>
  mailWaiting(deps, tx, view, letters.freeAgainLetter(deps.config, carNameOf(view.car)))

/** All whose request for the car is pending, but for this one. */
async function mailWaiting(deps: Deps, tx: Db, { car, deal }: DealView, letter: Letter): Promise<void> {
  for (const person of await store.findWaitingAddresses(tx, { carId: car.id, exceptDealId: deal.id }))
    await mail(deps, tx, person, letter)
}

async function ringWaiting(tx: Db, { car, deal }: DealView, told: Told): Promise<void> {
  for (const { id } of await store.findWaitingAddresses(tx, { carId: car.id, exceptDealId: deal.id }))
    await notify(tx, { recipientId: id, ...told })
}

/** Deleted accounts have no address any more. */
async function mail(
  deps: Deps,
  tx: Db,
  { id, email }: { id: string; email: string | null },
  letter: Letter,
  attachment: string | null = null,
): Promise<void> {
  if (email) await sendMail(deps, tx, { id, email }, letter, { attachment })
}
