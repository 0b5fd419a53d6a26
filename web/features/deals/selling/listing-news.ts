import { fullName } from '@keyturn/contract/accounts/rules.ts'
import type { Car } from '@keyturn/contract/cars/endpoints.ts'
import { sellingTexts } from '@keyturn/contract/deals/selling-texts.ts'
import type { Request } from '@keyturn/contract/deals/shapes.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { formatUsd } from '@keyturn/contract/shared/money.ts'
import { type Change, changesOf } from '../../../api/mutations/changes.ts'
import { answeredAs, isWaiting, waitingIn } from './request-facts.ts'

const texts = dealTexts.home

type Asked = Pick<Request, '_id' | 'price' | 'status'> & { buyer: Parameters<typeof fullName>[0] }
/** What a seller bases a new price or a deletion on: the listing and all its requests. */
export type ListingFacts = { car: Pick<Car, 'price'>; requests: readonly Asked[] }

/** What buyers, or the seller in another window, have changed in the meantime. */
export function newsOfListing(before: ListingFacts, after: ListingFacts): Change[] {
  const waited = waitingIn(before.requests)
  const had = new Set(waited.map(({ _id }) => _id))
  return [
    ...changesOf(factsOf(before), factsOf(after)),
    ...waited.flatMap((one) => {
      const now = after.requests.find(({ _id }) => _id === one._id)
      if (!now) return [told(one, texts.news.withdrawn)]
      return isWaiting(now) ? changesOf([offerOf(one)], [offerOf(now)]) : [told(one, answeredAs(now))]
    }),
    ...waitingIn(after.requests)
      .filter(({ _id }) => !had.has(_id))
      .map((request) => told(request, texts.news.asks(formatUsd(request.price)))),
  ]
}

const factsOf = ({ car: { price } }: ListingFacts) => [
  { label: sellingTexts.askingPrice, value: price === null ? texts.toBeAgreed : formatUsd(price) },
]
const offerOf = ({ buyer, price }: Asked) => ({ label: fullName(buyer), value: formatUsd(price) })
const told = ({ buyer }: Asked, sentence: string): Change => ({
  label: fullName(buyer),
  before: '',
  after: '',
  sentence,
})
