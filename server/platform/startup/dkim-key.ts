import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { StartupError } from './startup-error.ts'

/**
 * Returns the PEM of a DKIM key, given inline or as a file path. Checked at startup, because a bad
 * key would fail only when sending. Throws a `StartupError`.
 */
export function readDkimKey(setting: string, given: string): string {
  try {
    const pem = given.includes('-----BEGIN') ? given.replaceAll('\\n', '\n') : readFileSync(given, 'utf8')
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(pem)
    if (asymmetricKeyType !== 'rsa') throw new Error('it is not an RSA key')
    if ((asymmetricKeyDetails?.modulusLength ?? 0) < 1024) throw new Error('it has less than 1024 bits')
    return pem
  } catch (error) {
    throw new StartupError(
      `Setting ${setting} is invalid: must be an RSA key as PEM, or the path of a file with one (${safeReasonOf(error)})`,
    )
  }
}

/** File errors yield only their code: the message contains the path, which may be a key. */
const safeReasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error ? String(error.code) : error.message
}
