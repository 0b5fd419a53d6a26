import { BlockList, isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** Whether what an address says about who stands behind it is believed; hop 0 is the peer itself. */
export type TrustProxy = (address: string, hop: number) => boolean

/**
 * Who may be believed. Addresses alone: every one of them in a row. A number of hops as well: so many, if the peer is one of
 * them. A number alone: as many, if the peer is on our own machine or network; a stranger from outside never is.
 */
export function trustOf(named: BlockList | null, hops: number): TrustProxy | null {
  if (!named && hops === 0) return null
  const proxies = named ?? proxiesIn('loopback,linklocal,uniquelocal')
  const isProxy = (address: string) => proxies !== null && isIn(proxies, address)
  return (address, hop) => (hop === 0 || hops === 0 ? isProxy(address) : hop < hops)
}

/** From a list as the setting has it; null when a part of it is neither an address nor a network. */
export function proxiesIn(list: string): BlockList | null {
  const proxies = new BlockList()
  const parts = list.split(',').map((part) => part.trim())
  const networks = parts.flatMap((part) => named[part] ?? [part])
  return networks.every((network) => add(proxies, network)) ? proxies : null
}

/** As Express and Fastify call them. */
const named: Record<string, string[]> = {
  loopback: ['127.0.0.0/8', '::1'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

function add(proxies: BlockList, network: string): boolean {
  const [address = '', bits, ...more] = network.split('/')
  const family = familyOf(address)
  if (!family || more.length > 0) return false
  if (bits === undefined) proxies.addAddress(address, family)
  else if (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 'ipv4' ? 32 : 128))
    proxies.addSubnet(address, Number(bits), family)
  else return false
  return true
}

/**
 * Whether a request was made on this machine and came straight here. A proxy that runs on this machine forwards what was
 * made elsewhere, so a request with a forwarding header does not count, whether or not the proxy is trusted.
 */
export function isFromThisMachine({ socket, headers }: Pick<FastifyRequest, 'socket' | 'headers'>): boolean {
  if (forwardingHeaders.some((name) => headers[name] !== undefined)) return false
  const { remoteAddress = '', localAddress } = socket
  return isLoopbackAddress(remoteAddress) || remoteAddress === localAddress
}

const forwardingHeaders = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via']

/** A header may hold anything instead of an address. */
function isIn(proxies: BlockList, address: string): boolean {
  const [plain = ''] = address.split('%')
  const family = familyOf(plain)
  return family !== null && proxies.check(plain, family)
}

const familyOf = (address: string) => (({ 4: 'ipv4', 6: 'ipv6' }) as const)[isIP(address)] ?? null

const loopback = proxiesIn('loopback') ?? new BlockList()
export const isLoopbackAddress = (address: string): boolean => isIn(loopback, address)
