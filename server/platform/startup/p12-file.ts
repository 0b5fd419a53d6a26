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
    const { context } = createSecureContext({ pfx: readFileSync(path), passphrase: password })
    const { publicKey } = new X509Certificate(context.getCertificate())
    if (publicKey.asymmetricKeyType !== 'rsa') throw new Error('its key is not an RSA key')
  } catch (error) {
    throw new StartupError(
      `Setting ${setting} is invalid: must be a PKCS#12 file with an RSA key, of which ${setting}_PASSWORD is the password (${describeError(error)})`,
    )
  }
}
