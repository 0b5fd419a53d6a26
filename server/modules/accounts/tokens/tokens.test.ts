import * as accounts from '@keyturn/contract/accounts/endpoints.ts'
import { maxTokens } from '@keyturn/contract/accounts/rules.ts'
import { createToken, listTokens, revokeToken } from '@keyturn/contract/accounts/tokens.ts'
import { addCar, readCarOfSeller, updatePrice } from '@keyturn/contract/cars/endpoints.ts'
import { deleteUser, getSeller } from '@keyturn/contract/deals/endpoints.ts'
import { sendMessage } from '@keyturn/contract/messages/endpoints.ts'
import { scopes } from '@keyturn/contract/shared/endpoint.ts'
import { beforeEach, expect, test } from 'vitest'
import { aProgram, aToken } from '../../../../tests/support/http/tokens.ts'
import { confirmedPassword } from '../../../../tests/support/http/visitors.ts'
import {
  anAdministrator,
  aSeller,
  aWholesaler,
  readEmailedCode,
  readEmailsTo,
  type TestPerson,
} from '../../../../tests/support/people.ts'
import { aCarForm, aSaleAt, readProgressOf } from '../../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'
import { statusAndCode } from '../../../../tests/support/trades.ts'
import { signOutEverybody } from '../sessions/sign-out-everybody.ts'

const server = await startTestServer({ TRUST_PROXY_HOPS: '1' })
beforeEach(() => server.moveClock('0 hours'))
const body = { name: 'Inventory script', scopes: ['profile:read'] }
const statusOf = async (token: string) => (await aProgram(server, token).send(accounts.getUser)).status

// R-accounts-68
test('shows a token once, and stores only its hash and its first characters', async () => {
  const person = await aSeller(server)
  const { token, created } = await person.ask(createToken, { body })
  expect(token.startsWith(created.start)).toBe(true)
  expect(created).toMatchObject({ ...body, lastUsedAt: null, lastNetwork: null, isExpired: false })
  const days = (Date.parse(created.expiresAt) - Date.parse(created.createdAt)) / 24 / 3600_000
  expect(days).toBe(90)
  expect((await person.send(listTokens)).body).not.toContain(token)
  const tables = await server.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  )
  for (const { name } of tables)
    expect(await server.query(`select from ${name} t where t::text like $1`, [`%${token}%`])).toEqual([])
})

// R-accounts-68, R-accounts-38
test('emails the owner about a new token, and records both events with the scopes', async () => {
  const person = await aSeller(server)
  const { created } = await person.ask(createToken, { body })
  const mails = await readEmailsTo(server, person.email)
  expect(mails.map(({ subject }) => subject)).toContain('A new access token for your account')
  await person.ask(revokeToken, { params: { tokenId: created._id } })
  const events = await server.query(
    `select actor, event, fields, session_id is not null as session from account_events
     where user_id = $1 and event like 'token%' order by id`,
    [person.id],
  )
  const fields = body.scopes
  expect(events).toEqual([
    { actor: 'PERSON', event: 'tokenCreated', fields, session: true },
    { actor: 'PERSON', event: 'tokenRevoked', fields, session: true },
  ])
})

// R-accounts-68
test('requires the password for a new token from 15 minutes after sign-in', async () => {
  const person = await aSeller(server)
  await server.query(
    `update sessions set signed_in_at = keyturn_now() - interval '16 minutes' where user_id = $1`,
    [person.id],
  )
  for (const given of [{}, { currentPassword: 'not this one' }])
    expect(await statusAndCode(person.send(createToken, { body: { ...body, ...given } }))).toEqual([
      403,
      'ReauthenticationRequired',
    ])
  const given = { ...body, currentPassword: person.password }
  expect((await person.send(createToken, { body: given })).status).toBe(201)
})

// R-accounts-68
test('allows 20 active tokens, and none without a scope or for more than a year', async () => {
  const person = await aSeller(server)
  const { created } = await aToken(person, ['cars:read'])
  await server.query(
    `insert into personal_tokens (id, user_id, name, hash, start, scopes, expires_at)
     select substr(md5(n::text || $1), 1, 24), $1, 'One of many', sha256((n::text || $1)::bytea), 'kt_AbCdEf', '{cars:read}',
       keyturn_now() + interval '1 day' from generate_series(2, $2::int) n`,
    [person.id, maxTokens],
  )
  expect(await statusAndCode(person.send(createToken, { body }))).toEqual([409, 'TooManyTokens'])
  await person.ask(revokeToken, { params: { tokenId: created._id } })
  expect((await person.send(createToken, { body })).status).toBe(201)
  for (const wrong of [{ scopes: [] }, { scopes: ['cars:sell'] }, { days: 366 }, { days: 0 }, { name: ' ' }])
    expect((await person.send(createToken, { body: { ...body, ...wrong } })).status).toBe(400)
})

// R-accounts-69
test('stops with revocation, expiry, and an account that is no longer verified or was deleted', async () => {
  const person = await aSeller(server)
  const { token, created } = await aToken(person, ['profile:read'])
  expect(await statusOf(token)).toBe(200)
  await server.query('update users set verified_at = null where id = $1', [person.id])
  expect(await statusOf(token)).toBe(401)
  await server.query('update users set verified_at = keyturn_now() where id = $1', [person.id])
  await server.moveClock('2159 hours')
  expect(await statusOf(token)).toBe(200)
  await server.moveClock('2161 hours')
  expect(await statusOf(token)).toBe(401)
  await server.moveClock('0 hours')
  await person.ask(revokeToken, { params: { tokenId: created._id } })
  expect(await statusOf(token)).toBe(401)
  const { token: other } = await aToken(person, ['profile:read'])
  await person.ask(deleteUser, { params: { userType: 'SELLER', id: person.id } })
  expect(await statusOf(other)).toBe(401)
  expect(await server.query('select from personal_tokens where user_id = $1', [person.id])).toEqual([])
})

// R-accounts-72
test.each(['changed', 'reset'] as const)('revokes all tokens when the password is %s', async (how) => {
  const person = await aSeller(server)
  const { token } = await aToken(person, ['profile:read'])
  await replacePassword[how](person)
  expect(await statusOf(token)).toBe(401)
  const [last] = await readEmailsTo(server, person.email)
  expect([last?.subject, last?.text]).toEqual([
    'Your password was changed',
    expect.stringContaining('Its access tokens were revoked.'),
  ])
})

const better = confirmedPassword('seven green bottles')
const replacePassword = {
  changed: (person: TestPerson) =>
    person.ask(accounts.changePassword, {
      body: { ...better, changePasswordId: person.id, currentPassword: person.password },
    }),
  reset: async (person: TestPerson) => {
    await person.ask(accounts.forgotPassword, { body: { email: person.email } })
    const verificationCode = await readEmailedCode(server, person.email, '/password/reset')
    await person.ask(accounts.resetPassword, { body: { ...better, verificationCode } })
  },
}

// R-accounts-72
test('revokes all tokens after a restore, when those that were revoked may be active again', async () => {
  const { token } = await aToken(await aSeller(server), ['profile:read'])
  await signOutEverybody(server.deps.db, 'restored')
  expect(await statusOf(token)).toBe(401)
})

// R-accounts-69
test('ignores the cookies of a request with a token, also those of an administrator', async () => {
  const [person, other] = [await aSeller(server), await aSeller(server)]
  const { token } = await aToken(person, ['profile:read'])
  const asOther = { authorization: `Bearer ${token}` }
  expect((await other.ask(accounts.getUser, {}, asOther))._id).toBe(person.id)
  const wrong = { authorization: `Bearer ${token.slice(0, -1)}` }
  expect(await statusAndCode(other.send(accounts.getUser, {}, wrong))).toEqual([401, 'InvalidToken'])
  const administrator = await anAdministrator(server)
  const { seller } = await aSaleAt(server, 'passed')
  const { token: reader } = await aToken(person, ['deals:read'])
  const asReader = { authorization: `Bearer ${reader}` }
  const params = { id: seller.id }
  expect((await administrator.send(getSeller, { params })).status).toBe(200)
  expect((await administrator.send(getSeller, { params }, asReader)).status).toBe(404)
})

// R-accounts-69
test('ignores a header of another kind, which a proxy may require', async () => {
  const person = await aSeller(server)
  for (const authorization of ['Basic a2V5dHVybjp0ZXN0', 'Bearer eyJhbGciOiJIUzI1NiJ9.e30.AAAA'])
    expect((await person.send(accounts.getUser, {}, { authorization })).status).toBe(200)
  expect(
    (await server.browser().send(accounts.getUser, {}, { authorization: 'Bearer x' })).error,
  ).toMatchObject({
    errorCode: 'InvalidAccessToken',
  })
})

// R-accounts-70
test('sends a challenge to rejected tokens alone, not to sessions or to callers without one', async () => {
  const { token } = await aToken(await aSeller(server), ['profile:read'])
  const program = aProgram(server, token)
  const stranger = server.browser()
  const wholesaler = await aWholesaler(server)
  const responses = [
    await program.send(listTokens),
    await program.send(accounts.getUser),
    await stranger.send(listTokens),
    await stranger.send(accounts.getUser, {}, { authorization: 'Bearer of-another-kind' }),
    await wholesaler.send(listTokens),
  ]
  expect(responses.map(({ status, headers }) => [status, headers['www-authenticate']])).toEqual([
    [403, 'Bearer realm="Keyturn", error="insufficient_scope"'],
    [200, undefined],
    [401, undefined],
    [401, undefined],
    [403, undefined],
  ])
})

// R-accounts-69, R-everywhere-12
test('accepts a change with a token from another site, where no cookie could help', async () => {
  const { token } = await aToken(await aSeller(server), ['cars:write'])
  const crossSite = { 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example' }
  const sent = await aProgram(server, token).send(addCar, { body: aCarForm() }, crossSite)
  expect(sent.status).toBe(201)
  const person = await aSeller(server)
  expect((await person.send(addCar, { body: aCarForm() }, crossSite)).status).toBe(403)
})

// R-accounts-71
test('stores the use of a token, with its network, at most once an hour', async () => {
  const person = await aSeller(server)
  const { token } = await aToken(person, ['profile:read'])
  const callFrom = (ip: string) =>
    aProgram(server, token).ask(accounts.getUser, {}, { 'x-forwarded-for': ip })
  await server.stopClock('2026-11-20T12:00:00Z')
  await server.query(
    `update personal_tokens set expires_at = '2026-12-20T12:00:00Z', created_at = '2026-11-19T12:00:00Z'
    where user_id = $1`,
    [person.id],
  )
  await callFrom('203.0.113.7')
  await server.stopClock('2026-11-20T12:59:59Z')
  await callFrom('203.0.113.8')
  const hour = '2026-11-20T12:00:00.000Z'
  const rows = () =>
    server.query(`select last_used_at, last_network from personal_tokens where user_id = $1`, [person.id])
  expect(await rows()).toEqual([{ last_used_at: new Date(hour), last_network: '203.0.113.7' }])
  await server.stopClock('2026-11-20T13:00:01Z')
  await callFrom('2001:db8:1:2:3:4:5:6')
  expect(await rows()).toEqual([
    { last_used_at: new Date('2026-11-20T13:00:01Z'), last_network: '2001:db8:1:2' },
  ])
  await server.moveClock('0 hours')
})

// R-accounts-69
test('serves a request whose use cannot be stored', async () => {
  const { token } = await aToken(await aSeller(server), ['profile:read'])
  await server.query(
    'alter table personal_tokens add constraint full_disk check (last_used_at is null) not valid',
  )
  expect(await statusOf(token)).toBe(200)
  await server.query('alter table personal_tokens drop constraint full_disk')
})

test('hides the tokens of other people, and those that were revoked', async () => {
  const [person, stranger] = [await aSeller(server), await aSeller(server)]
  const { created } = await aToken(person, ['cars:read'])
  expect(await stranger.ask(listTokens)).toEqual([])
  const params = { tokenId: created._id }
  expect((await stranger.send(revokeToken, { params })).status).toBe(404)
  await person.ask(revokeToken, { params })
  expect(await person.ask(listTokens)).toEqual([])
  expect((await person.send(revokeToken, { params })).status).toBe(404)
})

// R-accounts-73
test('gives wholesalers no tokens', async () => {
  const wholesaler = await aWholesaler(server)
  expect(await statusAndCode(wholesaler.send(createToken, { body }))).toEqual([403, 'Forbidden'])
})

// R-accounts-71
test('names the owner in what a token changed, without a session', async () => {
  const sale = await aSaleAt(server, 'requested')
  const { token } = await aToken(sale.seller, scopes)
  const program = aProgram(server, token)
  await program.ask(updatePrice, { params: { carId: sale.car._id }, body: { newPrice: 8000 } })
  const { _id: dealId } = await readProgressOf(sale)
  await program.ask(sendMessage, { params: { dealId }, body: { text: 'The new price is on the page.' } })
  const [event] = await server.query(
    'select actor, actor_id, session_id from deal_events order by id desc limit 1',
  )
  expect(event).toEqual({ actor: 'SELLER', actor_id: sale.seller.id, session_id: null })
  const shared = { params: { userId: sale.seller.id, vin: sale.car.vin } }
  expect((await program.ask(readCarOfSeller, shared)).car.price).toBe(800_000)
})
