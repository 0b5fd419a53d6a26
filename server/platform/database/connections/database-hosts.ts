/** Splits `postgres://user:password@one:5432,other:5432/name` into one address per host. */
export function splitDatabaseAddress(address: string): string[] {
  const { before, hosts, after } = partsOf(address)
  return hosts.map((host) => `${before}${host}${after}`)
}

/** Formats an address for display, without user and password. */
export function formatDatabaseAddress(address: string): string {
  const { hosts, after } = partsOf(address)
  return hosts.join(',') + after.replace(/[?#].*$/s, '')
}

/** Checks whether an address also accepts a server that rejects writes. */
export function allowsStandbyHosts(address: string): boolean {
  const attribute = /[?&]target_session_attrs=([^&#]*)/.exec(address)?.[1]
  return attribute !== undefined && !['read-write', 'primary'].includes(attribute)
}

function partsOf(address: string): { before: string; hosts: string[]; after: string } {
  const [, before = '', hosts = '', after = ''] =
    /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(address) ?? []
  return { before, hosts: hosts.split(','), after }
}
export type DatabaseHost = { host: string; port: number }
export const isSameHost = (one: DatabaseHost, other: DatabaseHost): boolean =>
  one.host === other.host && one.port === other.port
export const formatHost = ({ host, port }: DatabaseHost): string => `${host}:${port}`
