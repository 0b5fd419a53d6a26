import { sellingTexts } from '@keyturn/contract/deals/selling-texts.ts'
import type { Request } from '@keyturn/contract/deals/shapes.ts'
import { type Change, changesBetween } from '../../../api/mutations/changes.ts'
import { isPendingRequest, outcomeText, requestTerms } from './request-facts.ts'

/**
 * Finds the request that a seller is about to answer. If it is not pending, says what happened to
 * it.
 */
export function findPendingRequest(requests: readonly Request[], id: string | undefined) {
  const request = requests.find(({ _id }) => _id === id)
  return {
    current: request && isPendingRequest(request) ? request : undefined,
    outcome: request ? outcomeText(request) : sellingTexts.requestGone,
  }
}

export const findPendingRequestChanges = (before: Request, after: Request): Change[] =>
  changesBetween(requestTerms(before), requestTerms(after))
