import { dealersTexts } from '@keyturn/contract/dealers/texts.ts'
import { isReserved } from '@keyturn/contract/deals/rules.ts'
import type { DashboardCar } from '@keyturn/contract/deals/shapes.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { formatDeadline } from '@keyturn/contract/shared/dates.ts'
import { type Cents, formatUsd } from '@keyturn/contract/shared/money.ts'

const texts = dealTexts.home

export type Row = Pick<
  DashboardCar,
  | 'status'
  | 'buyerId'
  | 'taken'
  | 'soldElsewhere'
  | 'calledOff'
  | 'calledOffSales'
  | 'askingPrice'
  | 'agreedPrice'
  | 'deal'
  | 'waitingOffers'
  | 'bestOffer'
  | 'dealerName'
>

/** Explains a seller's status; empty where its label suffices. */
export function sellersWords(row: Row): string {
  const { status, deal, waitingOffers, bestOffer, dealerName, calledOffSales } = row
  if (status === 'COMPLETED') return ''
  if (status !== 'ACCEPTED') {
    if (bestOffer !== null) return texts.offers(waitingOffers, formatUsd(bestOffer))
    const [last] = calledOffSales
    return last ? dealersTexts.calledOff.by(last.dealer) : texts.forSale
  }
  if (!deal) return ''
  if (deal.passedAt) return texts.passedTo(dealerName)
  if (!deal.sellerSigned) return texts.toSign
  return deal.exclusiveUntil ? texts.buyerSignsBy(formatDeadline(deal.exclusiveUntil)) : ''
}

export function buyersWords({ status, taken, soldElsewhere, calledOff, deal, dealerName }: Row): string {
  if (soldElsewhere || calledOff || status === 'REJECTED' || status === 'COMPLETED') return ''
  if (taken) return texts.taken
  if (status === null || !deal) return ''
  if (deal.passedAt) return texts.passedTo(dealerName)
  if (deal.exclusivityExpired) return texts.holdEnded
  if (deal.buyerSigned) return status === 'ACCEPTED' ? texts.waitsForSignature : texts.waitsForSeller
  return deal.exclusiveUntil ? texts.signBy(formatDeadline(deal.exclusiveUntil)) : texts.toSign
}

export type NamedPrice = { cents: Cents | null; name: string }

/**
 * Returns the current price: the agreed one after a confirmation, else the asking price with the
 * best offer (R-deals-58).
 */
export function sellersPrices(row: Row): NamedPrice[] {
  const { status, askingPrice, agreedPrice, waitingOffers, bestOffer } = row
  if (isReserved(status)) return [{ cents: agreedPrice, name: texts.prices.agreed }]
  const best = { cents: bestOffer, name: waitingOffers > 1 ? texts.prices.best : texts.prices.offer }
  return [{ cents: askingPrice, name: texts.prices.asking }, ...(bestOffer === null ? [] : [best])]
}

export function buyersPrices({ status, askingPrice, agreedPrice, deal }: Row): NamedPrice[] {
  if (isReserved(status)) return [{ cents: agreedPrice, name: texts.prices.agreed }]
  const offer = { cents: deal?.price ?? null, name: texts.prices.yours }
  return [{ cents: askingPrice, name: texts.prices.asking }, ...(status === null ? [] : [offer])]
}
