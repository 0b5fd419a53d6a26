import ipaddr from 'ipaddr.js'

/** Of IPv6 only this has been given out; what lies outside of it may still hide an IPv4 address. */
const givenOut = ipaddr.parseCIDR('2000::/3')

/** Whether an address is somebody's on the internet, not of this machine, of its networks, or kept for other purposes. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || address.match(givenOut))
}

/** Whether a host as it stands in an address is this machine itself. */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1')
  if (!ipaddr.isValid(address)) return address.toLowerCase() === 'localhost'
  return ipaddr.process(address).range() === 'loopback'
}
