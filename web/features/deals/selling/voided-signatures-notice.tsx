import type { Request } from '@keyturn/contract/deals/shapes.ts'
import { Notice } from '../../../components/feedback/notice.tsx'
import { listNames, pendingRequests } from './request-facts.ts'

type VoidedSignaturesProps = {
  requests: readonly Request[]
  /** Describes the consequence, with the names and the number of those who have signed. */
  sentence: (names: string, count: number) => string
}

/**
 * Names the signatures that the seller's change would void. Shows nothing if nobody has signed
 * (R-deals-56).
 */
export function VoidedSignaturesNotice({ requests, sentence }: VoidedSignaturesProps) {
  const signed = pendingRequests(requests).filter(({ buyerSigned }) => buyerSigned)
  if (signed.length === 0) return null
  return <Notice kind="waiting">{sentence(listNames(signed), signed.length)}</Notice>
}
