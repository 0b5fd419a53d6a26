import ipaddr from 'ipaddr.js'

/** The only allocated IPv6 range; an address outside of it may embed an IPv4 address. */
const allocatedRange = ipaddr.parseCIDR('2000::/3')

/** Whether an address is public, not of this machine, of its networks, or reserved. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || address.match(allocatedRange))
}

/** Whether the host of a URL is this machine itself. */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1')
  if (!ipaddr.isValid(address)) return address.toLowerCase() === 'localhost'
  return ipaddr.process(address).range() === 'loopback'
}
