import { sellingTexts } from '@keyturn/contract/deals/selling-texts.ts'
import type { Request } from '@keyturn/contract/deals/shapes.ts'
import { type Change, changesOf } from '../../../api/mutations/changes.ts'
import { answeredAs, isWaiting, termsOfRequest } from './request-facts.ts'

/** The request that a seller is about to answer if it is still pending; otherwise what happened to it. */
export function waitingRequest(requests: readonly Request[], id: string | undefined) {
  const request = requests.find(({ _id }) => _id === id)
  return {
    current: request && isWaiting(request) ? request : undefined,
    outcome: request ? answeredAs(request) : sellingTexts.requestGone,
  }
}

export const newsOfWaiting = (before: Request, after: Request): Change[] =>
  changesOf(termsOfRequest(before), termsOfRequest(after))
