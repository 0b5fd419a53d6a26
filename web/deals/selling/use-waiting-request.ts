import type { Request } from '@keyturn/contract/deals/calls.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { changesOf } from '../../decide/changes.ts'
import { useSeen } from '../../decide/seen.ts'
import { answeredAs, isWaiting, termsOfRequest } from './request-facts.ts'

/** A request that a seller is about to answer, as they read it: what has changed since, and whether it still waits. */
export function useWaitingRequest(requests: readonly Request[], id: string | undefined, isOwn: boolean) {
  const row = requests.find(({ _id }) => _id === id)
  const present = row && isWaiting(row) ? row : undefined
  const seen = useSeen(present, (one, other) => changedTerms(one, other).length === 0, isOwn)
  return {
    ...seen,
    changes: seen.isStale && seen.shown && present ? changedTerms(seen.shown, present) : [],
    gone: seen.isGone ? (row ? answeredAs(row) : dealTexts.seller.requestGone) : null,
  }
}

const changedTerms = (one: Request, other: Request) => changesOf(termsOfRequest(one), termsOfRequest(other))
