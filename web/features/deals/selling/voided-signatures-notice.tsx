import type { Request } from '@keyturn/contract/deals/shapes.ts'
import { Notice } from '../../../components/feedback/notice.tsx'
import { namesOf, waitingIn } from './request-facts.ts'

type FallingSignaturesProps = {
  requests: readonly Request[]
  /** Describes the consequence, for the names of those who have signed. */
  saying: (names: string, count: number) => string
}

/**
 * Names the signatures that the seller's change would void; nothing if nobody has signed
 * (R-deals-56).
 */
export function VoidedSignaturesNotice({ requests, saying }: FallingSignaturesProps) {
  const signed = waitingIn(requests).filter(({ buyerSigned }) => buyerSigned)
  if (signed.length === 0) return null
  return <Notice kind="waiting">{saying(namesOf(signed), signed.length)}</Notice>
}
