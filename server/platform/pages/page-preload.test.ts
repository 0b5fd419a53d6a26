import { streamServerEvents } from '@keyturn/contract/notifications/endpoints.ts'
import {
  eventPositionName,
  type PreloadedResponses,
  preloadedResponsesId,
} from '@keyturn/contract/shared/pages.ts'
import { afterAll, expect, test, vi } from 'vitest'
import { cookieHeader } from '../../../tests/support/http/visitors.ts'
import { createWebFolder } from '../../../tests/support/http/web-folder.ts'
import { loadBuiltRenderer, requestPage } from '../../../tests/support/pages.ts'
import { aBuyer, aSeller, aWholesaler } from '../../../tests/support/people.ts'
import { aListing } from '../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { buildApp } from '../../app.ts'
import type { Deps } from '../../deps.ts'
import { publishChange } from '../../modules/notifications/events/publish-change.ts'
import { openDatabase } from '../database/open-database.ts'

const folder = createWebFolder()
const server = await startTestServer()
const open = async (changed: Partial<Deps> = {}) => {
  const app = await buildApp({ ...server.deps, ...changed }, folder, { renderer: await loadBuiltRenderer() })
  afterAll(() => app.close())
  return app
}

const app = await open()

function broughtBy(html: string): PreloadedResponses | null {
  const block = new RegExp(`<script type="application/json" id="${preloadedResponsesId}">(.*?)</script>`, 's')
  return JSON.parse(block.exec(html)?.[1] ?? 'null')
}

// R-everywhere-44
test('preloads the first screen’s responses and disables caching', async () => {
  const { seller, at } = await aListing(server)
  const link = new URLSearchParams(at)
  for (const [path, also] of [
    ['/home', [`/cars/${seller.id}`]],
    [`/car/seller?${link}`, [`/cars/${seller.id}`]],
    ['/trade', [`/trades/user/${seller.id}`]],
    ['/profile', []],
  ] as const) {
    const { body, headers } = await requestPage(app, path, seller)
    const brought = broughtBy(body)
    expect([path, Object.keys(brought ?? {}).sort()]).toEqual([path, ['/user', ...also].sort()])
    for (const [address, { body: given }] of Object.entries(brought ?? {}))
      expect(given).toEqual((await requestPage(app, address, seller, { accept: 'application/json' })).json())
    expect(headers['cache-control']).toBe('no-store')
  }
  const wholesaler = await aWholesaler(server)
  expect(Object.keys(broughtBy((await requestPage(app, '/wholesaler', wholesaler)).body) ?? {})).toEqual([
    '/user',
    '/trades?status=ALL',
  ])
})

// R-notifications-19
test('includes the stream position, so that no event is lost before the stream opens', async () => {
  const { seller } = await aListing(server)
  const positionOf = async () => {
    const { body } = await requestPage(app, '/home', seller)
    return new RegExp(`<meta name="${eventPositionName}" content="(\\w+)"></head>`).exec(body)?.[1]
  }
  const position = await vi.waitFor(async () => {
    const said = await positionOf()
    expect(said).toBeDefined()
    return said
  }, 10_000)
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  await publishChange(server.deps.db, [seller.id], 'cars')
  const stream = await fetch(`${address}${streamServerEvents.path}?after=${position}`, {
    headers: { cookie: cookieHeader(seller) },
  })
  let heard = ''
  for await (const piece of stream.body ?? []) {
    heard += new TextDecoder().decode(piece)
    if (heard.includes('changed')) break
  }
  expect(heard).toContain('event: changed\ndata: {"rooms":["cars"]}')
  expect(await positionOf()).not.toBe(position)
  expect((await requestPage(app, '/home')).body).not.toContain(eventPositionName)
})

// R-everywhere-44, R-everywhere-9
test('preloads nothing that the endpoint would reject, and nothing for visitors', async () => {
  const { seller, at } = await aListing(server)
  const stranger = await requestPage(app, '/home')
  expect([broughtBy(stranger.body), stranger.headers['cache-control']]).toEqual([null, 'no-cache'])
  const buyer = await aBuyer(server)
  const ofOther = await requestPage(app, `/car/seller?${new URLSearchParams(at)}`, buyer)
  expect(Object.keys(broughtBy(ofOther.body) ?? {}).sort()).toEqual(['/user', `/cars/${buyer.id}`].sort())
  expect(ofOther.body).not.toContain(seller.email)
  expect(broughtBy((await requestPage(app, '/home', undefined, { cookie: 'at=stolen' })).body)).toBeNull()
})

// R-everywhere-44, R-everywhere-7
test('does not let user input end the data block early', async () => {
  const seller = await aSeller(server, { firstName: '</script><script>x' })
  const { body } = await requestPage(app, '/home', seller)
  expect(body).not.toContain('</script><script>x')
  expect(broughtBy(body)?.['/user']?.body).toMatchObject({ firstName: '</script><script>x' })
})

// R-everywhere-44
test('serves the page without preloaded data while the database is unavailable', async () => {
  const seller = await aSeller(server)
  const away = openDatabase({ host: '127.0.0.1', port: 1 })
  const { statusCode, body } = await requestPage(
    await open({ db: away.db, pool: away.pool }),
    '/home',
    seller,
  )
  expect([statusCode, broughtBy(body)]).toEqual([200, null])
  await away.close()
})
