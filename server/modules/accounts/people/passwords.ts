import cluster from 'node:cluster'
import { randomBytes } from 'node:crypto'
import { isTooPersonal } from '@keyturn/contract/accounts/rules.ts'
import { accountErrors, personalPasswordText } from '@keyturn/contract/accounts/texts.ts'
import { hash, verify } from '@node-rs/argon2'
import { createInProcessWorker, createQueue } from '../../../platform/workers/queue.ts'
import { isCommonPassword } from './common-passwords.ts'

/** OWASP's minimum for argon2id; 30-100 ms. After an increase, hashes are renewed on sign-in. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/**
 * Two hashes use two cores; each of several processes has one core. 32 waiting hashes finish within
 * two seconds, and more would only time out.
 */
const queue = createQueue({
  name: 'Hash',
  worker: createInProcessWorker((work: () => Promise<unknown>) => work()),
  limits: { places: cluster.isWorker ? 1 : 2, maxWaiting: 32 },
  whenFull: () => accountErrors.HashQueueFull({ retryAfterSeconds: 2 }),
})
const queued = <T>(work: () => Promise<T>): Promise<T> => queue.ask(work) as Promise<T>

export const hashPassword = (password: string): Promise<string> =>
  queued(() => hash(characters(password), { algorithm: argon2id, ...cost }))

/**
 * Takes equally long for an unknown account (`null`), so that the time does not reveal accounts.
 */
export async function passwordMatches(password: string, storedHash: string | null): Promise<boolean> {
  const matches = await queued(() => verify(storedHash ?? unknownAccountHash, characters(password)))
  return storedHash !== null && matches
}

export const needsRehash = (storedHash: string): boolean => !storedHash.startsWith(prefix)

/** Rejects common passwords and the person's name. `person` is null while unknown. */
export async function requireStrongPassword(
  password: string,
  person: { firstName: string; lastName: string; email: string } | null,
): Promise<void> {
  if (await isCommonPassword(password)) throw weak()
  if (person && isTooPersonal(password, person)) throw weak(personalPasswordText)
}

function weak(message?: string) {
  const refusal = accountErrors.CommonPassword({ message })
  return accountErrors.CommonPassword({ message, fields: [{ path: 'password', message: refusal.message }] })
}

/** Keyboards encode the same character in different ways; both are the same password. */
const characters = (password: string): string => password.normalize('NFC')

// Under isolated modules, the library's enum exists only as a type; 2 is argon2id.
const argon2id = 2
const prefix = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`
const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
const unknownAccountHash = `${prefix}${unpadded(randomBytes(16))}$${unpadded(randomBytes(32))}`
