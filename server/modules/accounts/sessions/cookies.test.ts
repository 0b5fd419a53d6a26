import * as calls from '@keyturn/contract/accounts/endpoints.ts'
import type { Endpoint } from '@keyturn/contract/shared/endpoint.ts'
import { describe, expect, test } from 'vitest'
import type { SentRequest } from '../../../../tests/support/browser.ts'
import { aBuyer, anAdministrator } from '../../../../tests/support/people.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'

const day = 24 * 3600
const places = [
  { where: 'behind https', publicUrl: 'https://keyturn.example', prefix: '__Host-', secure: '; Secure' },
  // Without `Secure`, a browser on another machine would send these cookies unencrypted.
  { where: 'on http of a host', publicUrl: 'http://keyturn.example', prefix: '__Host-', secure: '; Secure' },
  { where: 'on http of this machine', publicUrl: 'http://127.0.0.1:3000', prefix: '', secure: '' },
]

const opened = await Promise.all(
  places.map(async (place) => {
    const server = await startTestServer({ PUBLIC_URL: place.publicUrl })
    return { ...place, server, person: await aBuyer(server), administrator: await anAdministrator(server) }
  }),
)

describe.each(opened)('cookies $where', ({ prefix, secure, server, person, administrator }) => {
  /** A cookie that scripts cannot read, other sites cannot send, and plain http does not carry. */
  const line = (name: string, seconds: number) =>
    `${prefix}${name}=*; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Strict${secure}`
  /** The mark of an administrator's browser: scripts may read it, and it gives no rights. */
  const mark = (seconds: number) =>
    `${prefix}${calls.administratorCookie}=*; Max-Age=${seconds}; Path=/; SameSite=Strict${secure}`

  // R-accounts-30
  test('limits a person’s cookies to our own pages and to their lifetimes', async () => {
    const body = { email: person.email, password: person.password }
    const lines = linesOf(await person.send(calls.login, { body }))
    expect(lines).toEqual([line('at', 600), line('kd', 365 * day), line('rt', 30 * day)])
    expect((await person.send(calls.refresh)).status).toBe(200)
  })

  test('gives the administrator’s cookies separate names and lifetimes', async () => {
    const { admin } = server.deps.config
    const body = { username: admin?.username, password: admin?.password }
    const lines = linesOf(await administrator.send(calls.adminLogin, { body }))
    expect(lines).toEqual(
      [line('aat', 300), mark(day / 3), line('akd', 365 * day), line('art', day / 3)].sort(),
    )
  })

  test('clears the cookies with the same attributes on sign-out', async () => {
    expect(linesOf(await person.send(calls.logout))).toEqual([line('at', 0), line('rt', 0)])
    expect(linesOf(await administrator.send(calls.adminLogout))).toEqual(
      [line('aat', 0), mark(0), line('art', 0)].sort(),
    )
  })
})

/** The Set-Cookie headers, sorted and without their values. */
const linesOf = ({ headers }: SentRequest<Endpoint>): string[] =>
  [headers['set-cookie'] ?? []]
    .flat()
    .map((text) => String(text).replace(/=[^;]*/, '=*'))
    .sort()
