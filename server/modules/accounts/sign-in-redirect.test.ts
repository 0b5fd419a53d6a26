import { appPages, isProtectedPage, protectedPages } from '@keyturn/contract/shared/pages.ts'
import { afterAll, expect, test } from 'vitest'
import { createWebFolder } from '../../../tests/support/http/web-folder.ts'
import { loadBuiltRenderer, requestPage } from '../../../tests/support/pages.ts'
import { aSeller } from '../../../tests/support/people.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { buildApp } from '../../app.ts'

const server = await startTestServer()
const app = await buildApp(server.deps, createWebFolder(), { renderer: await loadBuiltRenderer() })
afterAll(() => app.close())

const typed = { 'sec-fetch-site': 'none' }
const comesTo = async (url: string, headers: Record<string, string> = typed) => {
  const { statusCode, headers: said } = await requestPage(app, url, undefined, headers)
  return statusCode === 302 ? said.location : statusCode
}
const link = new URLSearchParams({ userId: 'a'.repeat(24), vin: '1HGCM82633A004352' })

// R-accounts-24
test('redirects a signed-out visitor to the sign-in page or the car, with the requested page', async () => {
  for (const path of protectedPages) {
    expect(await comesTo(path)).toBe(`/login?${new URLSearchParams({ wanted: path })}`)
    const wanted = `${path}?${link}`
    expect(await comesTo(wanted)).toBe(`/buy-this-car?${link}&${new URLSearchParams({ wanted })}`)
  }
  const half = '/trade/?userId=1&vin=1HGCM82633A004352'
  expect(await comesTo(half)).toBe(`/login?${new URLSearchParams({ wanted: half })}`)
  const { headers } = await requestPage(app, '/home', undefined, typed)
  expect(headers['cache-control']).toBe('no-store')
})

// R-accounts-24
test('does not redirect a visitor who may have a session, or whose cookies were not sent', async () => {
  const { cookies } = await aSeller(server)
  expect([...cookies.keys()]).toEqual(expect.arrayContaining(['at', 'rt']))
  for (const name of ['at', 'rt', 'aat', 'art'])
    expect([name, await comesTo('/home', { ...typed, cookie: `x=1; ${name}=${'a'.repeat(43)}` })]).toEqual([
      name,
      200,
    ])
  for (const site of ['cross-site', 'same-site'])
    expect(await comesTo('/home', { 'sec-fetch-site': site })).toBe(200)
  expect(await comesTo('/home', {})).toBe(200)
  for (const path of [...appPages, '/no/such/page'])
    if (!isProtectedPage(path)) expect([path, await comesTo(path)]).toEqual([path, 200])
})
