/**
 * Hosts of the browsers' push services: Chrome and its derivatives, Chromium without Google's keys,
 * Firefox, Edge, Safari. `*.` stands for one or more labels.
 */
const knownHosts = [
  'fcm.googleapis.com',
  'jmt17.google.com',
  '*.push.services.mozilla.com',
  '*.notify.windows.com',
  '*.push.apple.com',
]

/** Parses a list from the setting; null when an element is not a host. */
export function parsePushHosts(list: string): string[] | null {
  const hosts = list.split(',').map((part) => part.trim().toLowerCase())
  return hosts.every((host) => hostPattern.test(host)) ? hosts : null
}

const hostPattern = /^((\*\.)?([a-z0-9-]+\.)*[a-z0-9-]+|\[[0-9a-f:]+\])$/

/**
 * Returns whether an endpoint belongs to a known push service or to one that the operator
 * configured.
 */
export function isPushEndpoint(endpoint: string, more: readonly string[]): boolean {
  const { hostname } = new URL(endpoint)
  return [...knownHosts, ...more].some((host) =>
    host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host,
  )
}
