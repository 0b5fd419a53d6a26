import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { describeTradeLoans } from '@keyturn/contract/cars/loan-texts.ts'
import { carName, type SaleStatus } from '@keyturn/contract/cars/rules.ts'
import { mayMove } from '@keyturn/contract/deals/may-move.ts'
import { sellingTexts as texts } from '@keyturn/contract/deals/selling-texts.ts'
import type { Financing, Request } from '@keyturn/contract/deals/shapes.ts'
import { leftToPay } from '@keyturn/contract/deals/terms.ts'
import { type Cents, cents, formatUsd } from '@keyturn/contract/shared/money.ts'

/** Returns the requests that the seller has not answered yet. */
export const pendingRequests = <Each extends Pick<Request, 'status'>>(requests: readonly Each[]): Each[] =>
  requests.filter(isPendingRequest)

/** A paused request is still pending: it can be denied. */
export const isPendingRequest = ({ status }: Pick<Request, 'status'>): boolean =>
  mayMove({ status }, 'SELLER', 'confirm')

/** A request whose buyer has not been asked for another price. */
export const isSellersTurn = (request: Pick<Request, 'status' | 'proposedPrice' | 'isPaused'>): boolean =>
  isPendingRequest(request) && request.proposedPrice === null && !request.isPaused

export const sortBestFirst = <Each extends Pick<Request, 'status' | 'price'>>(
  requests: readonly Each[],
): Each[] =>
  [...requests].sort(
    (one, other) => rank(one) - rank(other) || (isPendingRequest(one) ? other.price - one.price : 0),
  )

const rank = (request: Pick<Request, 'status'>) => (isPendingRequest(request) ? 0 : 1)

/**
 * Returns a text such as "$1,500 left to pay after the trade-in and the loan"; empty if the buyer
 * brings neither.
 */
export function leftToPayText(
  request: Pick<Request, 'price' | 'trades' | 'needsFinancing' | 'financing'>,
): string {
  const { price, trades, needsFinancing, financing } = request
  const loan = needsFinancing ? (financing?.amount ?? 0) : 0
  if (trades.length === 0 && loan === 0) return ''
  const values = trades.map(({ price: value, payoff: owes, payoffAmount }) => ({
    value: value ?? cents(0),
    owes,
    payoffAmount,
  }))
  const left = formatUsd(cents(Math.max(0, leftToPay(price, values) - loan)))
  const text =
    trades.length === 0 ? texts.leftAfterLoan : loan === 0 ? texts.leftAfterTrade : texts.leftAfterBoth
  return [text(left), describeTradeLoans(values)].filter(Boolean).join('. ')
}

const requestStates: Record<SaleStatus, { outcome: string; isSigned: boolean }> = {
  PENDING: { outcome: texts.requestChanged, isSigned: true },
  ACCEPTED: { outcome: texts.requestConfirmed, isSigned: true },
  REJECTED: { outcome: texts.requestDenied, isSigned: false },
  COMPLETED: { outcome: texts.requestConfirmed, isSigned: true },
}

export const outcomeText = ({ status }: Pick<Request, 'status'>): string => requestStates[status].outcome

export const listNames = (requests: readonly Request[], nameOf = nameOfBuyer): string =>
  listFormat.format(requests.map(nameOf))

const listFormat = new Intl.ListFormat('en-US')
const nameOfBuyer = ({ buyer }: Request) => fullName(buyer)

/** Returns a text such as "$500 under your asking price"; empty if there is no asking price. */
export function askingPriceComparison(price: Cents, asking: Cents | null): string {
  if (asking === null) return ''
  if (price === asking) return texts.sameAsAsking
  const difference = formatUsd(cents(Math.abs(price - asking)))
  return price > asking ? texts.overAsking(difference) : texts.underAsking(difference)
}

export function financingText(needsFinancing: boolean | null, financing: Financing | null): string {
  if (needsFinancing === null) return texts.notAnswered
  if (!needsFinancing) return texts.financingNotWanted
  if (!financing?.amount) return texts.financingWanted
  const term = financing.termMonths ? texts.overMonths(financing.termMonths) : ''
  const down = financing.downPayment ? `, ${texts.downPayment(formatUsd(financing.downPayment))}` : ''
  return texts.financingWish(formatUsd(financing.amount), term) + down
}

export function tradesText(trades: Request['trades']): string {
  if (trades.length === 0) return texts.noTrades
  return trades
    .map((trade) => carName(trade) + (trade.price === null ? '' : `, ${formatUsd(trade.price)}`))
    .join('; ')
}

type Signed = Pick<Request, 'status' | 'buyerSigned' | 'buyerSignatureVoided' | 'exclusivityExpired'>

/** Describes the buyer's signature; empty for a denied request. */
export function signatureText(request: Signed): string {
  const { status, buyerSigned, buyerSignatureVoided, exclusivityExpired } = request
  if (buyerSigned) return texts.signed
  if (!requestStates[status].isSigned) return ''
  if (exclusivityExpired) return texts.holdEnded
  return buyerSignatureVoided ? texts.signatureVoided : texts.notSigned
}

/** The facts that a seller decides on. If one of them changes, the seller has to decide again. */
export const requestTerms = (request: Request) => [
  { label: texts.offeredPrice, value: formatUsd(request.price) },
  { label: texts.trades, value: tradesText(request.trades) },
  { label: texts.financing, value: financingText(request.needsFinancing, request.financing) },
]
