import { sellingTexts } from '@keyturn/contract/deals/selling-texts.ts'
import type { Request } from '@keyturn/contract/deals/shapes.ts'
import { type Change, changesOf } from '../../../api/mutations/changes.ts'
import { answeredAs, isWaiting, requestTerms } from './request-facts.ts'

/**
 * Finds the request that a seller is about to answer. If it is not pending, says what happened to
 * it.
 */
export function findWaitingRequest(requests: readonly Request[], id: string | undefined) {
  const request = requests.find(({ _id }) => _id === id)
  return {
    current: request && isWaiting(request) ? request : undefined,
    outcome: request ? answeredAs(request) : sellingTexts.requestGone,
  }
}

export const waitingRequestNews = (before: Request, after: Request): Change[] =>
  changesOf(requestTerms(before), requestTerms(after))
