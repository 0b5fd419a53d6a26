import { createPublicKey, verify } from 'node:crypto'
import type { Tools } from '@keyturn/contract/deals/verification/evidence.ts'
import canonicalize from 'canonicalize'
import { sha256 } from '../evidence-log/log.ts'

/** DER around the 32 bytes of a public key (RFC 8410). */
const spki = Buffer.from('302a300506032b6570032100', 'hex')

export const tools: Tools = {
  hash: sha256,
  canonical: (json) => canonicalize(json) ?? '',
  isSignedByEd25519: async (publicKey, signature, text) =>
    verify(
      null,
      text,
      createPublicKey({ key: Buffer.concat([spki, publicKey]), format: 'der', type: 'spki' }),
      signature,
    ),
}
