import type { Server } from 'node:http'
import { isLoopback } from '../../integrations/webhooks/public-address.ts'
import { networkOf } from '../rate-limits/throttles.ts'
import type { TrustProxy } from './trusted-proxies.ts'

/**
 * Destroys a new connection when its address already has `max` open; an IPv6 /64 is one address.
 * Without this, a single client could use up MAX_CONNECTIONS.
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
 * Proxies are exempt because they carry the connections of many clients. Without TRUST_PROXY, any
 * loopback address may be an unconfigured proxy.
 */
export const createProxyPredicate =
  (trustProxy: TrustProxy | null) =>
  (address: string): boolean =>
    trustProxy ? trustProxy(address, 0) : isLoopback(address)
