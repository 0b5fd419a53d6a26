import { getUser } from '@keyturn/contract/accounts/calls.ts'
import { allCalls } from '@keyturn/contract/calls.ts'
import { deliverToDesk } from '@keyturn/contract/deals/dealers/dealer-desk.ts'
import { describe, expect, test } from 'vitest'
import { digestOf } from '../test/digest.ts'
import { openHouse } from '../test/house.ts'
import { inputsOf, nobodys } from '../test/inputs.ts'
import { anAdministrator, aSeller } from '../test/people.ts'

const house = await openHouse()
const own = house.deps.config.publicUrl.origin
const person = await aSeller(house)
const administrator = await anAdministrator(house)
const cookie = [...person.cookies, ...administrator.cookies]
  .map(([name, value]) => `${name}=${value}`)
  .join('; ')

type Headers = Record<string, string>
/** What browsers say of a request that another page, a mail or the address bar caused. */
const strange: [what: string, headers: Headers][] = [
  ['another site', { 'sec-fetch-site': 'cross-site' }],
  ['a neighbor of our domain', { 'sec-fetch-site': 'same-site' }],
  ['nowhere', { 'sec-fetch-site': 'none' }],
  ['another site that claims our origin', { 'sec-fetch-site': 'cross-site', origin: own }],
  ['a word we do not know', { 'sec-fetch-site': 'SAME-ORIGIN ' }],
  ['a foreign origin', { origin: 'https://evil.example' }],
  ['our host by another scheme', { origin: own.replace('http:', 'https:') }],
  ['our host at another port', { origin: `${own}1` }],
  ['a sandbox', { origin: 'null' }],
  ['an empty origin', { origin: '' }],
  ['a foreign page', { referer: 'https://evil.example/' }],
  ['a page whose name begins like ours', { referer: `${own}.evil.example/` }],
  ['a page that is none', { referer: 'about:blank' }],
]
const fetched = { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }
/** A header that only our own scripts can add. */
const byScript = { 'x-requested-with': 'app' }
const ours: [what: string, headers: Headers][] = [
  ['our own page', { 'sec-fetch-site': 'same-origin', ...fetched }],
  ['our own page in an older browser', { origin: own, ...byScript }],
  ['our own page by its address', { referer: `${own}/home?a=b`, ...byScript }],
  ['what is no browser', {}],
]

const changes = allCalls.filter(({ method }) => method !== 'GET')
const sessionGets = allCalls.filter(({ path }) => /^\/auth\/(admin\/)?(logout|refresh)$/.test(path))

test('these are the calls that a stranger’s page could do harm with', () => {
  expect(changes.length).toBeGreaterThan(20)
  expect(sessionGets.map(({ path }) => path).sort()).toEqual([
    '/auth/admin/logout',
    '/auth/admin/refresh',
    '/auth/logout',
    '/auth/refresh',
  ])
})

// R-everywhere-12
describe('a change that comes from elsewhere is refused before it is read', () => {
  test.each(strange)('from %s', async (_, headers) => {
    const before = await digestOf(house)
    for (const call of changes) {
      const { params = {}, body } = inputsOf(call, nobodys())[0]
      const url = call.path.replace(/:(\w+)/g, (__, name: string) => params[name] ?? '')
      const payload = body && JSON.stringify(body)
      for (const type of ['application/json', 'text/plain']) {
        const sent = await house.app.inject({
          method: call.method,
          url,
          headers: { cookie, ...(payload && { 'content-type': type }), ...headers },
          ...(payload && { payload }),
        })
        expect(`${call.name} ${sent.statusCode} ${sent.json().errorCode}`).toBe(
          `${call.name} 403 CsrfRejected`,
        )
        expect(sent.headers.vary).toBe('Origin, Sec-Fetch-Site')
      }
    }
    expect(await digestOf(house)).toEqual(before)
  })

  test.each(ours)('but not from %s', async (_, headers) => {
    for (const call of changes.filter(({ who }) => !who.includes('anyone'))) {
      const { params = {} } = inputsOf(call, nobodys())[0]
      const url = call.path.replace(/:(\w+)/g, (__, name: string) => params[name] ?? '')
      const sent = await house.app.inject({ method: call.method, url, headers })
      // The built-in desk is there for this process alone.
      const refused = call.path === deliverToDesk.path ? 404 : 401
      expect(`${call.name} ${sent.statusCode}`).toBe(`${call.name} ${refused}`)
    }
  })
})

// R-everywhere-12
describe('the sessions that a GET would end or renew', () => {
  const elsewhere: [string, Headers][] = [
    ...strange,
    [
      'a link on our own page',
      { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    ],
    [
      'a picture on our own page',
      { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
    ],
    ['a picture on our own page in an older browser', { referer: `${own}/home` }],
    ['a script’s fetch that does not say so', { origin: own, 'x-requested-with': 'XMLHttpRequest' }],
    ['another site’s script', { origin: 'https://evil.example', ...byScript }],
    [
      'a frame',
      { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    ],
    [
      'a page that is loaded ahead',
      {
        'sec-fetch-site': 'same-origin',
        'sec-fetch-mode': 'no-cors',
        'sec-fetch-dest': 'empty',
        'sec-purpose': 'prefetch',
      },
    ],
    [
      'an address that was typed',
      { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    ],
  ]

  test.each(elsewhere)('are left alone by %s', async (_, headers) => {
    const before = await digestOf(house)
    for (const { path } of sessionGets) {
      const sent = await house.app.inject({ url: path, headers: { cookie, ...headers } })
      expect(`${path} ${sent.statusCode} ${sent.json().errorCode}`).toBe(`${path} 403 CsrfRejected`)
      expect(sent.headers['set-cookie']).toBe(undefined)
      expect(sent.headers.vary).toBe('Origin, Sec-Fetch-Site')
    }
    expect(await digestOf(house)).toEqual(before)
    expect((await person.send(getUser)).status).toBe(200)
  })

  test.each(ours)('are renewed for %s', async (_, headers) => {
    const one = await aSeller(house)
    const mine = [...one.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    for (const path of ['/auth/refresh', '/auth/logout'])
      expect((await house.app.inject({ url: path, headers: { cookie: mine, ...headers } })).statusCode).toBe(
        200,
      )
  })
})

test('no other site may read an answer, or ask whether it might', async () => {
  const headers = { origin: 'https://evil.example', 'access-control-request-method': 'DELETE' }
  for (const method of ['OPTIONS', 'GET'] as const) {
    const sent = await house.app.inject({ method, url: '/user', headers })
    expect(Object.keys(sent.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    expect(sent.statusCode).toBe(method === 'OPTIONS' ? 405 : 401)
  }
})
