import type { Car } from '@keyturn/contract/cars/endpoints.ts'
import { buyingTexts } from '@keyturn/contract/deals/buying-texts.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { type Cents, formatUsd } from '@keyturn/contract/shared/money.ts'
import { type Change, changesBetween } from '../../../api/mutations/changes.ts'
import { type CarTerms, carTermFacts } from '../car-term-facts.ts'
import { requestStates } from './request-states.ts'

const texts = dealTexts.home

/** The facts that a buyer reads before changing or withdrawing the request. */
export type RequestState = Pick<Car, 'status' | 'price' | 'message'> &
  CarTerms & {
    /** Undefined on screens that do not show it. */
    askingPrice?: Cents | null
  }

/** Lists what the seller, or the buyer in another window, has changed. */
export const findRequestChanges = (before: RequestState, after: RequestState): Change[] => [
  ...changesBetween(pricesOf(before), pricesOf(after)),
  ...changesBetween(carTermFacts(before), carTermFacts(after)),
  ...(before.status === after.status ? [] : newsOfAnswer(after)),
]

const pricesOf = ({ price, askingPrice }: RequestState) => [
  ...(price === null ? [] : [{ label: texts.newPrice, value: formatUsd(price) }]),
  ...(askingPrice === undefined
    ? []
    : [
        {
          label: buyingTexts.askingPrice,
          value: askingPrice === null ? texts.toBeAgreed : formatUsd(askingPrice),
        },
      ]),
]

function newsOfAnswer({ status, message }: RequestState): Change[] {
  const answer = (sentence: string, label: string = texts.columns.status) => ({
    label,
    before: '',
    after: '',
    sentence,
  })
  const { news } = requestStates[status ?? 'STARTED']
  return [
    ...(news === null ? [] : [answer(news)]),
    ...(status === 'REJECTED' && message ? [answer(message, texts.sellersMessage)] : []),
  ]
}
