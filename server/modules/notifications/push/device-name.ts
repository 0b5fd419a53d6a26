/** The first match counts, because browsers also name other browsers in their user agent. */
const browsers: [name: string, says: RegExp][] = [
  ['Samsung Internet', /SamsungBrowser\//],
  ['Edge', /Edg(A|iOS)?\//],
  ['Opera', /OP(R|T|X)\//],
  ['Firefox', /(Firefox|FxiOS)\//],
  ['Chrome', /(Chrome|CriOS|Chromium)\//],
  ['Safari', /Safari\//],
]
const systems: [name: string, says: RegExp][] = [
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Android', /Android/],
  ['Chromebook', /CrOS/],
  ['Windows', /Windows/],
  ['Mac', /Macintosh|Mac OS X/],
  ['Linux', /Linux/],
]

/** Returns a name by which users recognize the device; contains no text from the user agent. */
export function deviceName(userAgent: string): string {
  const [browser] = browsers.find(([, says]) => says.test(userAgent)) ?? []
  const [system] = systems.find(([, says]) => says.test(userAgent)) ?? []
  if (!browser) return system ?? 'A browser'
  return system ? `${browser} on ${system}` : browser
}
