import type { VerificationTools } from '@keyturn/contract/agreements/verification/evidence.ts'
import canonicalize from 'canonicalize'
import { sha256 } from '../evidence-hashes.ts'
import { isSignedByEd25519 } from '../evidence-log/head-key.ts'

export const verificationTools: VerificationTools = {
  hash: sha256,
  canonical: (json) => canonicalize(json) ?? '',
  isSignedByEd25519: async (...signed) => isSignedByEd25519(...signed),
}
