import type { Server } from 'node:http'
import { isLoopback } from '../../integrations/webhooks/addresses.ts'
import { networkOf } from '../rate-limits/throttles.ts'
import type { TrustProxy } from './proxies.ts'

/**
 * Closes a connection at once when its address has `max` open already; an IPv6 network of 64 bits counts as one address. One
 * visitor could otherwise take all connections that MAX_CONNECTIONS allows.
 */
export function limitPerAddress(
  server: Server,
  {
    max,
    isExempt,
    onRefused,
  }: { max: number; isExempt: (address: string) => boolean; onRefused: () => void },
): void {
  const open = new Map<string, number>()
  server.on('connection', (socket) => {
    const { remoteAddress = '' } = socket
    if (isExempt(remoteAddress)) return
    const visitor = networkOf(remoteAddress)
    const count = open.get(visitor) ?? 0
    if (count >= max) {
      onRefused()
      return void socket.destroy()
    }
    open.set(visitor, count + 1)
    socket.once('close', () => {
      const left = (open.get(visitor) ?? 1) - 1
      if (left > 0) open.set(visitor, left)
      else open.delete(visitor)
    })
  })
}

/**
 * A proxy has the connections of all its visitors. Without TRUST_PROXY, whatever connects from this machine may be one that
 * nobody has named.
 */
export const isProxy =
  (trustProxy: TrustProxy | null) =>
  (address: string): boolean =>
    trustProxy ? trustProxy(address, 0) : isLoopback(address)
