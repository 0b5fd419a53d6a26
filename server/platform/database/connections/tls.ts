import pg from 'pg'
import { isLoopback } from '../../../integrations/webhooks/addresses.ts'
import { addressesIn } from './hosts.ts'

/**
 * Adds `sslmode=verify-full` to an address that leads to another machine and does not mention TLS itself. Returns null
 * where the address turns TLS off for another machine. Throws when a file of certificates in it cannot be read.
 */
export function withTls(address: string): string | null {
  // As the driver reads it, which also knows hosts from `?host=` and the environment.
  const clients = addressesIn(address).map((connectionString) => new pg.Client({ connectionString }))
  const remote = clients.filter(({ host }) => !host.startsWith('/') && !isLoopback(host))
  if (remote.length === 0) return address
  if (/[?&]ssl(mode)?=/.test(address)) return remote.every(({ ssl }) => ssl) ? address : null
  return `${address}${address.includes('?') ? '&' : '?'}sslmode=verify-full`
}
