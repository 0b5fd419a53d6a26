import { afterAll } from 'vitest'
import { type Answering, type Asked, openBrowser } from '../browser.ts'
import { type House, openHouse } from '../house.ts'
import { addressOf, aFolder, start } from '../start.ts'

export type HouseOfTwo = House & {
  /** Where the next request goes, for who sends it without a browser. */
  address(): string
}

/** A house with a second server, in a process of its own, on the same database: requests go to them in turn. */
export async function openHouseOfTwo(): Promise<HouseOfTwo> {
  const shared = { SESSION_SECRET: 'one secret for both of these processes', RATE_LIMITS: 'off', DEMO: '0' }
  const house = await openHouse(shared)
  const settings = { ...shared, DATABASE_URL: house.databaseUrl, DATA_DIR: aFolder(afterAll), PORT: '0' }
  const second = start(settings, afterAll)
  await second.says('ready: ')
  const addresses = [await house.app.listen({ host: '127.0.0.1', port: 0 }), addressOf(second)]
  let asked = 0
  const address = () => addresses[asked++ % addresses.length] as string
  const inTurn: Answering = { inject: (request) => sendTo(address(), request) }
  return { ...house, address, browser: () => openBrowser(inTurn) }
}

export async function sendTo(address: string, { method, url, headers, payload }: Asked) {
  const response = await fetch(`${address}${url}`, {
    method,
    headers: { ...(payload && { 'content-type': 'application/json' }), ...headers },
    ...(payload && { body: Buffer.isBuffer(payload) ? new Uint8Array(payload) : JSON.stringify(payload) }),
  })
  return {
    statusCode: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
    cookies: response.headers.getSetCookie().map(cookieOf),
  }
}

function cookieOf(line: string) {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
  return { name, value, ...(/max-age=0\b/i.test(line) && { maxAge: 0 }) }
}
