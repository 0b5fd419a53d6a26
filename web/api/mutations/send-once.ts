import type { ApiError } from '@keyturn/contract/shared/error.ts'
import { isFinal } from '../errors.ts'

/** The key belongs to the input until the server has given a final answer (R-safe-10). */
type Intent<T> = { key: string; running: Promise<T> | null }
export type Intents<T> = Map<string, Intent<T>>

/** Sends the request once for any number of calls, and reuses the key after a lost response. */
export function sendOnce<T>(
  intents: Intents<T>,
  request: unknown,
  send: (key: string) => Promise<T>,
): Promise<T> {
  const input = JSON.stringify(request)
  const intent = intents.get(input) ?? { key: newKey(), running: null }
  intents.set(input, intent)
  // A newer attempt with the same input keeps its own entry.
  const forget = () => intents.get(input) === intent && intents.delete(input)
  intent.running ??= send(intent.key).then(
    (answer) => {
      forget()
      return answer
    },
    (error: ApiError) => {
      intent.running = null
      if (isFinal(error)) forget()
      throw error
    },
  )
  return intent.running
}

/** Generates a UUID. `crypto.randomUUID` is missing on plain http except on localhost. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
