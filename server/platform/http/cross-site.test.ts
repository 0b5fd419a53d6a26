import { getUser } from '@keyturn/contract/accounts/endpoints.ts'
import { deliverToDesk } from '@keyturn/contract/dealers/dealer-desk.ts'
import { allEndpoints } from '@keyturn/contract/endpoints.ts'
import type { Endpoint } from '@keyturn/contract/shared/endpoint.ts'
import { expect, test } from 'vitest'
import { exampleInputs, targetWithoutRows } from '../../../tests/support/example-inputs.ts'
import { cookieHeader } from '../../../tests/support/http/visitors.ts'
import { anAdministrator, aSeller } from '../../../tests/support/people.ts'
import { digestTables } from '../../../tests/support/table-digests.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'

// cross-site.pure.test.ts covers the classification; this file checks every endpoint.

const server = await startTestServer()
const person = await aSeller(server)
const cookie = cookieHeader(person, await anAdministrator(server))

const changes = allEndpoints.filter(({ method }) => method !== 'GET')
const sessionGets = allEndpoints.filter(({ path }) => /^\/auth\/(admin\/)?(logout|refresh)$/.test(path))

async function send(call: Endpoint, headers: Record<string, string>, type?: string) {
  const { params = {}, body } = exampleInputs(call, targetWithoutRows())[0]
  const url = call.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '')
  const payload = type &&
    body && { headers: { ...headers, 'content-type': type }, payload: JSON.stringify(body) }
  return server.app.inject({ method: call.method, url, headers, ...payload })
}

// R-everywhere-12
test.each<Record<string, string>>([
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
  { origin: 'null' },
])('changes nothing and neither ends nor renews a session for requests with %j', async (strange) => {
  expect([changes.length > 20, sessionGets.length]).toEqual([true, 4])
  const before = await digestTables(server)
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
  expect(await digestTables(server)).toEqual(before)
  expect((await person.send(getUser)).status).toBe(200)
})

// R-everywhere-12
test.each<Record<string, string>>([
  { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' },
  {},
])('accepts requests with %j at every endpoint', async (ours) => {
  for (const call of changes.filter(({ callers }) => !callers.includes('anyone'))) {
    // Only this process may call the built-in desk.
    const refused = call.path === deliverToDesk.path ? 404 : 401
    expect([call.name, (await send(call, ours)).statusCode]).toEqual([call.name, refused])
  }
  const mine = cookieHeader(await aSeller(server))
  for (const url of ['/auth/refresh', '/auth/logout'])
    expect((await server.app.inject({ url, headers: { cookie: mine, ...ours } })).statusCode).toBe(200)
})

test('sends no CORS headers', async () => {
  const headers = { origin: 'https://evil.example', 'access-control-request-method': 'DELETE' }
  for (const method of ['OPTIONS', 'GET'] as const) {
    const sent = await server.app.inject({ method, url: '/user', headers })
    expect(Object.keys(sent.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    expect(sent.statusCode).toBe(method === 'OPTIONS' ? 405 : 401)
  }
})
