import ipaddr from 'ipaddr.js'

/** The only allocated IPv6 range; an address outside of it may embed an IPv4 address. */
const allocatedRange = ipaddr.parseCIDR('2000::/3')

/** Returns whether an address is public: not reserved, and not of this machine or its networks. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || address.match(allocatedRange))
}

/** Returns whether the host of a URL is this machine itself. */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1')
  if (!ipaddr.isValid(address)) return address.toLowerCase() === 'localhost'
  return ipaddr.process(address).range() === 'loopback'
}
