import { isIP } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'
import type { FastifyRequest } from 'fastify'
import { isLoopback } from '../../integrations/webhooks/addresses.ts'

/** Whether what an address says about who stands behind it is believed; hop 0 is the peer itself. */
export type TrustProxy = (address: string, hop: number) => boolean

/**
 * Who may be believed. Addresses alone: every one of them in a row. A number of hops as well: so many, if the peer is one of
 * them. A number alone: as many, if the peer is on our own machine or network; a stranger from outside never is.
 */
export function trustOf(named: TrustProxy | null, hops: number): TrustProxy | null {
  if (!named && hops === 0) return null
  const isProxy = named ?? proxyAddr.compile(ownNetworks)
  return (address, hop) => (hop === 0 || hops === 0 ? isProxy(address, hop) : hop < hops)
}

const ownNetworks = ['loopback', 'linklocal', 'uniquelocal']

/** From a list as the setting has it; null when a part of it is neither an address nor a network. */
export function proxiesIn(list: string): TrustProxy | null {
  const parts = list.split(',').map((part) => part.trim())
  // The library takes `1` for the address 0.0.0.1, where a number of hops was meant.
  if (!parts.every((part) => ownNetworks.includes(part) || isIP(part.split('/')[0] ?? '') > 0)) return null
  try {
    return proxyAddr.compile(parts)
  } catch {
    return null
  }
}

/**
 * Whether a request was made on this machine and came straight here. A proxy that runs on this machine forwards what was
 * made elsewhere, so a request with a forwarding header does not count, whether or not the proxy is trusted.
 */
export function isFromThisMachine({ socket, headers }: Pick<FastifyRequest, 'socket' | 'headers'>): boolean {
  if (forwardingHeaders.some((name) => headers[name] !== undefined)) return false
  const { remoteAddress = '', localAddress } = socket
  return isLoopback(remoteAddress) || remoteAddress === localAddress
}

const forwardingHeaders = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via']
