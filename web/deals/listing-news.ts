import { fullName } from '@keyturn/contract/accounts/rules.ts'
import type { Car } from '@keyturn/contract/cars/calls.ts'
import type { Request } from '@keyturn/contract/deals/calls.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { formatUsd } from '@keyturn/contract/kit/money.ts'
import { type Change, changesOf } from '../changes.ts'

const texts = dealTexts.home

type Asked = Pick<Request, '_id' | 'price'> & { buyer: Parameters<typeof fullName>[0] }
/** A listing and who waits for an answer: what a seller goes by who sets its price or deletes it. */
export type ListingFacts = { car: Pick<Car, 'price'>; waiting: readonly Asked[] }

/** What buyers, or the seller in another window, have changed meanwhile. */
export function newsOfListing(before: ListingFacts, after: ListingFacts): Change[] {
  const had = new Set(before.waiting.map(({ _id }) => _id))
  const has = new Set(after.waiting.map(({ _id }) => _id))
  return [
    ...changesOf(factsOf(before), factsOf(after)),
    ...before.waiting.flatMap((one) => {
      const now = after.waiting.find(({ _id }) => _id === one._id)
      return now ? changesOf([offerOf(one)], [offerOf(now)]) : []
    }),
    ...before.waiting
      .filter(({ _id }) => !has.has(_id))
      .map((request) => told(request, texts.news.withdrawn)),
    ...after.waiting
      .filter(({ _id }) => !had.has(_id))
      .map((request) => told(request, texts.news.asks(formatUsd(request.price)))),
  ]
}

const factsOf = ({ car: { price } }: ListingFacts) => [
  { label: dealTexts.seller.askingPrice, value: price === null ? texts.toBeAgreed : formatUsd(price) },
]
const offerOf = ({ buyer, price }: Asked) => ({ label: fullName(buyer), value: formatUsd(price) })
const told = ({ buyer }: Asked, said: string): Change => ({
  label: fullName(buyer),
  before: '',
  after: '',
  said,
})
