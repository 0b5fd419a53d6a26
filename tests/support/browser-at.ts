import { type Browser, type BrowserRequest, createTestClient } from './browser.ts'

/** Opens a browser for a server in another process, whose address may change between requests. */
export const createBrowserAt = (address: () => string): Browser =>
  createTestClient({ inject: (request) => sendTo(address(), request) })

export const cookieHeaderOf = ({ cookies }: Pick<Browser, 'cookies'>): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

async function sendTo(address: string, { method, url, headers, payload }: BrowserRequest) {
  const response = await fetch(`${address}${url}`, {
    method,
    headers: { ...(payload && { 'content-type': 'application/json' }), ...headers },
    ...(payload && { body: Buffer.isBuffer(payload) ? new Uint8Array(payload) : JSON.stringify(payload) }),
  })
  return {
    statusCode: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
    cookies: response.headers.getSetCookie().map(readCookie),
  }
}

function readCookie(line: string) {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
  return { name, value, ...(/max-age=0\b/i.test(line) && { maxAge: 0 }) }
}
