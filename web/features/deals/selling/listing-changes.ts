import { fullName } from '@keyturn/contract/accounts/rules.ts'
import type { Car } from '@keyturn/contract/cars/endpoints.ts'
import { sellingTexts } from '@keyturn/contract/deals/selling-texts.ts'
import type { Request } from '@keyturn/contract/deals/shapes.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { formatUsd } from '@keyturn/contract/shared/money.ts'
import { type Change, changesBetween } from '../../../api/mutations/changes.ts'
import { isPendingRequest, outcomeText, pendingRequests } from './request-facts.ts'

const texts = dealTexts.home

type AskedRequest = Pick<Request, '_id' | 'price' | 'status'> & { buyer: Parameters<typeof fullName>[0] }
/**
 * The facts that a seller reads before changing the price or deleting the listing: the listing and
 * all its requests.
 */
export type ListingFacts = { car: Pick<Car, 'price'>; requests: readonly AskedRequest[] }

/** Lists what buyers, or the seller in another window, have changed. */
export function findListingChanges(before: ListingFacts, after: ListingFacts): Change[] {
  const waited = pendingRequests(before.requests)
  const earlierIds = new Set(waited.map(({ _id }) => _id))
  return [
    ...changesBetween(factsOf(before), factsOf(after)),
    ...waited.flatMap((one) => {
      const now = after.requests.find(({ _id }) => _id === one._id)
      if (!now) return [newsLine(one, texts.news.withdrawn)]
      return isPendingRequest(now)
        ? changesBetween([offerOf(one)], [offerOf(now)])
        : [newsLine(one, outcomeText(now))]
    }),
    ...pendingRequests(after.requests)
      .filter(({ _id }) => !earlierIds.has(_id))
      .map((request) => newsLine(request, texts.news.asks(formatUsd(request.price)))),
  ]
}

const factsOf = ({ car: { price } }: ListingFacts) => [
  { label: sellingTexts.askingPrice, value: price === null ? texts.toBeAgreed : formatUsd(price) },
]
const offerOf = ({ buyer, price }: AskedRequest) => ({ label: fullName(buyer), value: formatUsd(price) })
const newsLine = ({ buyer }: AskedRequest, sentence: string): Change => ({
  label: fullName(buyer),
  before: '',
  after: '',
  sentence,
})
