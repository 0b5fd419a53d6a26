import { getUser } from '@keyturn/contract/accounts/endpoints.ts'
import { deliverToDesk } from '@keyturn/contract/dealers/dealer-desk.ts'
import { allEndpoints } from '@keyturn/contract/endpoints.ts'
import type { Endpoint } from '@keyturn/contract/shared/endpoint.ts'
import { expect, test } from 'vitest'
import { inputsOf, nobodys } from '../../../tests/support/example-inputs.ts'
import { cookieHeader } from '../../../tests/support/http/visitors.ts'
import { anAdministrator, aSeller } from '../../../tests/support/people.ts'
import { digestOf } from '../../../tests/support/table-digests.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'

// cross-site.pure.test.ts covers the classification; this file checks every endpoint.

const house = await startTestServer()
const person = await aSeller(house)
const cookie = cookieHeader(person, await anAdministrator(house))

const changes = allEndpoints.filter(({ method }) => method !== 'GET')
const sessionGets = allEndpoints.filter(({ path }) => /^\/auth\/(admin\/)?(logout|refresh)$/.test(path))

async function send(call: Endpoint, headers: Record<string, string>, type?: string) {
  const { params = {}, body } = inputsOf(call, nobodys())[0]
  const url = call.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '')
  const payload = type &&
    body && { headers: { ...headers, 'content-type': type }, payload: JSON.stringify(body) }
  return house.app.inject({ method: call.method, url, headers, ...payload })
}

// R-everywhere-12
test.each<Record<string, string>>([
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
  { origin: 'null' },
])('with %j no call changes anything, and no session is ended or renewed', async (strange) => {
  expect([changes.length > 20, sessionGets.length]).toEqual([true, 4])
  const before = await digestOf(house)
  for (const call of [...changes, ...sessionGets])
    for (const type of ['application/json', 'text/plain']) {
      const sent = await send(call, { cookie, ...strange }, type)
      const { vary, 'set-cookie': given } = sent.headers
      expect([call.name, sent.statusCode, sent.json().errorCode, vary, given]).toEqual([
        call.name,
        403,
        'CsrfRejected',
        'Origin, Sec-Fetch-Site',
        undefined,
      ])
    }
  expect(await digestOf(house)).toEqual(before)
  expect((await person.send(getUser)).status).toBe(200)
})

// R-everywhere-12
test.each<Record<string, string>>([
  { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' },
  {},
])('with %j every call is heard', async (ours) => {
  for (const call of changes.filter(({ callers }) => !callers.includes('anyone'))) {
    // The built-in desk is there for this process alone.
    const refused = call.path === deliverToDesk.path ? 404 : 401
    expect([call.name, (await send(call, ours)).statusCode]).toEqual([call.name, refused])
  }
  const mine = cookieHeader(await aSeller(house))
  for (const url of ['/auth/refresh', '/auth/logout'])
    expect((await house.app.inject({ url, headers: { cookie: mine, ...ours } })).statusCode).toBe(200)
})

test('no other site may read an answer, or ask whether it might', async () => {
  const headers = { origin: 'https://evil.example', 'access-control-request-method': 'DELETE' }
  for (const method of ['OPTIONS', 'GET'] as const) {
    const sent = await house.app.inject({ method, url: '/user', headers })
    expect(Object.keys(sent.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    expect(sent.statusCode).toBe(method === 'OPTIONS' ? 405 : 401)
  }
})
