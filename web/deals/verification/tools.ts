import type { Tools } from '@keyturn/contract/deals/verification/evidence.ts'
import { hashes, verify } from '@noble/ed25519'
import { sha256, sha512 } from '@noble/hashes/sha2.js'
import canonicalize from 'canonicalize'

// Not the browser's own: it hashes later and not at once, checks Ed25519 only since lately, and is away where a page came without TLS.
hashes.sha512 = (message) => new Uint8Array(sha512(new Uint8Array(message)))

export const tools: Tools = {
  hash: (...parts) => {
    const hash = sha256.create()
    for (const part of parts) hash.update(new Uint8Array(part))
    return hash.digest()
  },
  canonical: (json) => canonicalize(json) ?? '',
  isSignedByEd25519: async (publicKey, signature, text) =>
    verify(new Uint8Array(signature), new Uint8Array(text), new Uint8Array(publicKey)),
}
