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

/** Waits 500 ms, retries once after 1 s, and returns null if both fail (R-accounts-21). */
export async function fetchSignedInUser(ask: () => Promise<User | null>): Promise<User | null> {
  await pause(500)
  return ask().catch(() =>
    pause(1000)
      .then(ask)
      .catch(() => null),
  )
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
