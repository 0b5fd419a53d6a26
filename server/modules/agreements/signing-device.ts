import { isIPv4, isIPv6 } from 'node:net'
import { certificateTexts as texts } from '@keyturn/contract/agreements/certificate-texts.ts'

/**
 * Describes where a person signed, for the other party: the device type, and the network without
 * its last part.
 */
export function describeSigningDevice({
  ip,
  userAgent,
}: {
  ip: string | null
  userAgent: string | null
}): string {
  const known = [deviceOf(userAgent), networkOf(ip)].filter((part) => part !== null)
  return known.length > 0 ? known.join(', ') : texts.unknown
}

/** The order matters: the user agents of most browsers also contain the names of other browsers. */
const browsers: readonly [pattern: RegExp, name: string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const systems: readonly [pattern: RegExp, name: string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

function deviceOf(userAgent: string | null): string | null {
  const nameIn = (table: typeof browsers) => table.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1]
  const [browser, system] = [nameIn(browsers), nameIn(systems)]
  return browser && system ? texts.device(browser, system) : (browser ?? system ?? null)
}

/**
 * Keeps three of the four numbers of an IPv4 address, or the first three groups of an IPv6 address.
 */
function networkOf(address: string | null): string | null {
  const plain = address?.replace(/^::ffff:(?=\d+\.)/i, '') ?? ''
  if (isIPv4(plain)) return texts.network(plain.replace(/\d+$/, 'x'))
  if (!isIPv6(plain)) return null
  const [head = ''] = plain.split('::')
  const groups = head.split(':').filter((group) => group !== '')
  return texts.network(`${[...groups, '0', '0', '0'].slice(0, 3).join(':')}:x`)
}
