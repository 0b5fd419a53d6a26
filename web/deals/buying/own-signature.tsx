import { useQuery } from '@tanstack/react-query'
import { Notice } from '../../ui/feedback/notice.tsx'
import { progressQuery } from '../queries.ts'

type OwnSignatureProps = { sellerId: string; vin: string; children: string }

/** Said to a buyer who has signed, before they do what ends that signature (R-deals-56). */
export function OwnSignature({ sellerId, vin, children }: OwnSignatureProps) {
  const isSigned = useQuery(progressQuery(sellerId, vin)).data?.buyerSigned === true
  return isSigned && <Notice kind="waiting">{children}</Notice>
}
