import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { StartupError } from './start-refusal.ts'

/** The key itself, or the file that it lies in, read once: a key that signs nothing is noticed by whoever starts the server. */
export function dkimKey(setting: string, given: string): string {
  try {
    const pem = given.includes('-----BEGIN') ? given.replaceAll('\\n', '\n') : readFileSync(given, 'utf8')
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(pem)
    if (asymmetricKeyType !== 'rsa') throw new Error('it is not an RSA key')
    if ((asymmetricKeyDetails?.modulusLength ?? 0) < 1024) throw new Error('it has less than 1024 bits')
    return pem
  } catch (error) {
    throw new StartupError(
      `Setting ${setting} is unfit: must be an RSA key as PEM, or the path of a file with one (${reasonOf(error)})`,
    )
  }
}

/** Without its words: those of a file that is not there repeat its path, which may be a key that was given in another form. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error ? String(error.code) : error.message
}
