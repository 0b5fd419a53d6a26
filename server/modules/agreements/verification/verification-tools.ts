import type { VerificationTools } from '@keyturn/contract/agreements/verification/evidence.ts'
import canonicalize from 'canonicalize'
import { noteTools } from '../evidence-log/head-key.ts'

export const verificationTools: VerificationTools = {
  ...noteTools,
  canonical: (json) => canonicalize(json) ?? '',
}
