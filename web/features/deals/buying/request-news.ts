import type { Car } from '@keyturn/contract/cars/endpoints.ts'
import { buyingTexts } from '@keyturn/contract/deals/buying-texts.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { type Cents, formatUsd } from '@keyturn/contract/shared/money.ts'
import { type Change, changesOf } from '../../../api/mutations/changes.ts'
import { type CarTerms, termFactsOf } from '../term-facts.ts'
import { requestStates } from './request-states.ts'

const texts = dealTexts.home

/** What a buyer bases a change or a withdrawal of the request on. */
export type RequestState = Pick<Car, 'status' | 'price' | 'message'> &
  CarTerms & {
    /** Given where the screen shows it beside the buyer's own price. */
    askingPrice?: Cents | null
  }

/** What the seller, or the buyer in another window, has changed in the meantime. */
export const newsOfRequest = (before: RequestState, after: RequestState): Change[] => [
  ...changesOf(pricesOf(before), pricesOf(after)),
  ...changesOf(termFactsOf(before), termFactsOf(after)),
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
