import pg from 'pg'
import { isLoopback } from '../../../integrations/webhooks/public-address.ts'
import { splitDatabaseAddress } from './database-hosts.ts'

/**
 * Adds `sslmode=verify-full` to a remote address that has no TLS setting. Returns null if the
 * address turns TLS off for a remote host. Throws if its certificate file cannot be read.
 */
export function requireTls(address: string): string | null {
  // The driver also reads hosts from `?host=` and the environment.
  const clients = splitDatabaseAddress(address).map((connectionString) => new pg.Client({ connectionString }))
  const remote = clients.filter(({ host }) => !host.startsWith('/') && !isLoopback(host))
  if (remote.length === 0) return address
  if (/[?&]ssl(mode)?=/.test(address)) return remote.every(({ ssl }) => ssl) ? address : null
  return `${address}${address.includes('?') ? '&' : '?'}sslmode=verify-full`
}
