export type HashName = 'SHA-1' | 'SHA-256' | 'SHA-384' | 'SHA-512'

/** Functions that verify signatures. */
export type Cryptography = {
  digest(hash: HashName, bytes: Uint8Array): Promise<Uint8Array>
  /**
   * Verifies with this public key (SubjectPublicKeyInfo): RSA with PKCS #1 v1.5, or ECDSA when a
   * curve is given, whose signature is then two numbers of equal length.
   */
  isSigned(publicKey: Uint8Array, signature: Uint8Array, bytes: Uint8Array, by?: Signing): Promise<boolean>
}
export type Signing = { hash: HashName; curve?: 'P-256' | 'P-384' | 'P-521' }

/** Implemented with the Web Crypto API of browsers and Node.js. */
export const webCryptography: Cryptography = {
  digest: async (hash, bytes) => new Uint8Array(await crypto.subtle.digest(hash, copyBytes(bytes))),
  isSigned: async (publicKey, signature, bytes, { hash, curve } = { hash: 'SHA-256' }) => {
    const algorithm = curve ? { name: 'ECDSA', namedCurve: curve, hash } : { name: 'RSASSA-PKCS1-v1_5', hash }
    try {
      const key = await crypto.subtle.importKey('spki', copyBytes(publicKey), algorithm, false, ['verify'])
      return await crypto.subtle.verify(algorithm, key, copyBytes(signature), copyBytes(bytes))
    } catch {
      // A key of another kind.
      return false
    }
  },
}

/** Returns null on pages loaded without TLS, where browsers disable the API. */
export const availableCryptography = (): Cryptography | null =>
  globalThis.crypto?.subtle ? webCryptography : null

const copyBytes = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => Uint8Array.from(bytes)
