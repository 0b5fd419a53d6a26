import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { describeError } from '../../shared/describe-error.ts'
import { StartupError } from './startup-error.ts'

/**
 * Checks at startup that the file contains an RSA key, because sealing would fail only later.
 * Throws a `StartupError`.
 */
export function requireValidP12(setting: string, path: string, password: string): void {
  try {
    const pfx = readFileSync(path)
    if (oldCiphers.some((oid) => pfx.includes(oid)))
      throw new Error(
        'it is encrypted with RC2 or Triple DES; this converts it: openssl pkcs12 -legacy -nodes -in OLD.p12 -out KEY.pem && openssl pkcs12 -export -in KEY.pem -out NEW.p12 && rm KEY.pem',
      )
    const { context } = createSecureContext({ pfx, passphrase: password })
    const { publicKey } = new X509Certificate(context.getCertificate())
    if (publicKey.asymmetricKeyType !== 'rsa') throw new Error('its key is not an RSA key')
  } catch (error) {
    throw new StartupError(
      `Setting ${setting} is invalid: must be a PKCS#12 file with an RSA key, of which ${setting}_PASSWORD is the password (${describeError(error)})`,
    )
  }
}

/** In DER: the password-based encryption of PKCS #12 (RFC 7292, C), and Triple DES in PBES2. */
const oldCiphers = ['060a2a864886f70d010c01', '06082a864886f70d0307'].map((hex) => Buffer.from(hex, 'hex'))
