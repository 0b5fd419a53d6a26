/** Functions that verify signatures. */
export type Cryptography = {
  sha256(bytes: Uint8Array): Promise<Uint8Array>
  /** RSA with SHA-256 (PKCS #1 v1.5) by this public key (SubjectPublicKeyInfo). */
  isSigned(publicKey: Uint8Array, signature: Uint8Array, bytes: Uint8Array): Promise<boolean>
}

/** Implemented with the Web Crypto API of browsers and Node.js. */
export const webCryptography: Cryptography = {
  sha256: async (bytes) => new Uint8Array(await crypto.subtle.digest('SHA-256', own(bytes))),
  isSigned: async (publicKey, signature, bytes) => {
    const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
    try {
      const key = await crypto.subtle.importKey('spki', own(publicKey), algorithm, false, ['verify'])
      return await crypto.subtle.verify(algorithm, key, own(signature), own(bytes))
    } catch {
      // Not an RSA key.
      return false
    }
  },
}

/** Returns null on pages loaded without TLS, where browsers disable the API. */
export const availableCryptography = (): Cryptography | null =>
  globalThis.crypto?.subtle ? webCryptography : null

const own = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => Uint8Array.from(bytes)
