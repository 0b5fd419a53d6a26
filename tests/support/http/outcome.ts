import type { Endpoint } from '@keyturn/contract/shared/endpoint.ts'
import type { SentRequest } from '../browser.ts'
import type { TestServer } from '../test-server.ts'

/** The status of a response, and the code of an error. */
export const outcome = (sent: SentRequest<Endpoint>) =>
  sent.status < 300 ? String(sent.status) : `${sent.status} ${sent.error.errorCode}`

/** Counts the connections that the server took from its pool meanwhile. */
export async function countReads<T>(
  { deps }: TestServer,
  work: () => Promise<T>,
): Promise<{ sent: T; reads: number }> {
  let reads = 0
  const count = () => {
    reads++
  }
  deps.pool.on('acquire', count)
  const sent = await work()
  deps.pool.off('acquire', count)
  return { sent, reads }
}
