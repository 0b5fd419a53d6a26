import { getUser, type User } from '@keyturn/contract/accounts/endpoints.ts'
import { hasErrorCode } from '../api/errors.ts'
import { send } from '../api/send.ts'

export async function fetchUser({ signal }: { signal?: AbortSignal } = {}): Promise<User | null> {
  try {
    return await send(getUser, {}, { signal })
  } catch (fault) {
    if (hasErrorCode(fault, getUser, 'InvalidAccessToken')) return null
    throw fault
  }
}

/**
 * Fetches the person who just signed in (R-accounts-21), after 500 ms and again after 1 s. Returns
 * null if both fail.
 */
export async function fetchSignedInUser(ask: () => Promise<User | null>): Promise<User | null> {
  await pause(500)
  return ask().catch(() =>
    pause(1000)
      .then(ask)
      .catch(() => null),
  )
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
