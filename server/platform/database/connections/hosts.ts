/** `postgres://user:password@one:5432,other:5432/name` is the same address once for each host. */
export function addressesIn(address: string): string[] {
  const { before, hosts, after } = partsOf(address)
  return hosts.map((host) => `${before}${host}${after}`)
}

/** What may be shown of an address: where it leads, without user and password. */
export function formatAddress(address: string): string {
  const { hosts, after } = partsOf(address)
  return hosts.join(',') + after.replace(/[?#].*$/s, '')
}

/** What an address asks of the server: only one that takes writes will do. */
export function wantsStandby(address: string): boolean {
  const wanted = /[?&]target_session_attrs=([^&#]*)/.exec(address)?.[1]
  return wanted !== undefined && !['read-write', 'primary'].includes(wanted)
}

function partsOf(address: string): { before: string; hosts: string[]; after: string } {
  const [, before = '', hosts = '', after = ''] =
    /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(address) ?? []
  return { before, hosts: hosts.split(','), after }
}
