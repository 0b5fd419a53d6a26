import { isIP } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'
import type { FastifyRequest } from 'fastify'
import { isLoopback } from '../../integrations/webhooks/public-address.ts'

/** Returns whether the forwarding header of an address is trusted; hop 0 is the peer itself. */
export type TrustProxy = (address: string, hop: number) => boolean

/**
 * Combines trusted addresses and a hop count. Without hops, each address in the chain must be
 * trusted. With hops, the peer must be trusted, or on a private network when no addresses are
 * configured.
 */
export function combineTrust(named: TrustProxy | null, hops: number): TrustProxy | null {
  if (!named && hops === 0) return null
  const isProxy = named ?? proxyAddr.compile(ownNetworks)
  return (address, hop) => (hop === 0 || hops === 0 ? isProxy(address, hop) : hop < hops)
}

const ownNetworks = ['loopback', 'linklocal', 'uniquelocal']

/** Parses a comma-separated list; returns null if an entry is neither an address nor a network. */
export function parseProxies(list: string): TrustProxy | null {
  const parts = list.split(',').map((part) => part.trim())
  // The library would read `1`, meant as a hop count, as the address 0.0.0.1.
  if (!parts.every((part) => ownNetworks.includes(part) || isIP(part.split('/')[0] ?? '') > 0)) return null
  try {
    return proxyAddr.compile(parts)
  } catch {
    return null
  }
}

/**
 * Returns whether a request was made on this machine without a proxy. A local proxy may forward
 * remote requests, so any forwarding header makes this false, even that of a trusted proxy.
 */
export function isFromThisMachine({ socket, headers }: Pick<FastifyRequest, 'socket' | 'headers'>): boolean {
  if (forwardingHeaders.some((name) => headers[name] !== undefined)) return false
  const { remoteAddress = '', localAddress } = socket
  return isLoopback(remoteAddress) || remoteAddress === localAddress
}

const forwardingHeaders = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via']
