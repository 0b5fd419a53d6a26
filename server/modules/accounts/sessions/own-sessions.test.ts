import { getUser, login, refresh } from '@keyturn/contract/accounts/endpoints.ts'
import {
  endOtherSessions,
  endSession,
  exportData,
  listSessions,
} from '@keyturn/contract/accounts/privacy/endpoints.ts'
import { sessionTexts } from '@keyturn/contract/accounts/privacy/privacy-texts.ts'
import { readPersonState } from '@keyturn/contract/accounts/suspensions.ts'
import { expect, test } from 'vitest'
import { aBuyer, anAdministrator, aSeller, type TestPerson } from '../../../../tests/support/people.ts'
import { connectClient } from '../../../../tests/support/second-session.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'
import { statusAndCode } from '../../../../tests/support/trades.ts'

const server = await startTestServer({ TRUST_PROXY_HOPS: '1' })

const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'
const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) Version/26.0 Mobile Safari/604.1'

async function signInWith(person: TestPerson, userAgent: string, address = '203.0.113.7') {
  const browser = server.browser()
  const body = { email: person.email, password: person.password }
  await browser.ask(login, { body }, { 'user-agent': userAgent, 'x-forwarded-for': address })
  return browser
}
const endings = (person: TestPerson) =>
  server.query<{ ended_because: string | null }>(
    'select ended_because from sessions where user_id = $1 order by signed_in_at, id',
    [person.id],
  )

// R-accounts-48
test('lists the caller’s sessions in plain words, with this one marked and IPv6 shortened', async () => {
  const person = await aSeller(server)
  const other = await signInWith(person, windows, '2001:db8:1:2:3:4:5:6')
  const last = await signInWith(person, phone)
  const { sessions } = await last.ask(listSessions)
  expect(sessions).toMatchObject([
    { name: 'Safari on iPhone', network: '203.0.113.7', isCurrent: true, isActive: true },
    { name: 'Firefox on Windows', network: '2001:db8:1:2', isCurrent: false, isActive: true },
    { isCurrent: false, isActive: true },
  ])
  expect(JSON.stringify(sessions)).not.toContain('Mozilla')
  await server.query(`update refresh_tokens set expires_at = keyturn_now() where session_id = $1`, [
    sessions[1]?._id,
  ])
  // An idle session can no longer be used, so it is a past sign-in.
  expect((await last.ask(listSessions)).sessions.map(({ isActive }) => isActive)).toEqual([true, true, false])
  await server.query(`update refresh_tokens set expires_at = keyturn_now() + interval '1 day'
    where session_id = '${sessions[1]?._id}'`)
  expect((await other.ask(listSessions)).sessions.find(({ isCurrent }) => isCurrent)?.name).toBe(
    'Firefox on Windows',
  )
})

// R-accounts-49
test('ends one session at once, with its access and refresh tokens, and tells its open pages', async () => {
  const person = await aSeller(server)
  const lost = await signInWith(person, phone)
  const [first] = (await lost.ask(listSessions)).sessions
  const listener = await connectClient(server.databaseUrl)
  const told: (string | undefined)[] = []
  listener.on('notification', ({ payload }) => told.push(payload))
  await listener.query('listen keyturn')
  const { sessions } = await person.ask(endSession, { params: { sessionId: first?._id ?? '' } })
  expect(sessions.map(({ isActive, isCurrent }) => [isActive, isCurrent])).toEqual([
    [true, true],
    [false, false],
  ])
  expect(await statusAndCode(lost.send(getUser))).toEqual([401, 'InvalidAccessToken'])
  expect(await statusAndCode(lost.send(refresh))).toEqual([401, 'InvalidRefreshToken'])
  await listener.query('select 1')
  expect(told).toContain(JSON.stringify({ endedSession: first?._id }).replace(':', ' : '))
  expect(await endings(person)).toEqual([
    { ended_because: null },
    { ended_because: 'signed out from another device' },
  ])
  await person.ask(getUser)
})

// R-accounts-49
test('ends all other sessions, and none of anybody else', async () => {
  const [person, stranger] = [await aSeller(server), await aBuyer(server)]
  const others = [await signInWith(person, windows), await signInWith(person, phone)]
  const { sessions } = await person.ask(endOtherSessions)
  expect(sessions.filter(({ isActive }) => isActive).map(({ isCurrent }) => isCurrent)).toEqual([true])
  for (const other of others)
    expect(await statusAndCode(other.send(getUser))).toEqual([401, 'InvalidAccessToken'])
  await stranger.ask(getUser)
  expect((await endings(person)).map((row) => row.ended_because)).toEqual([
    null,
    'signed out everywhere else',
    'signed out everywhere else',
  ])
})

test('returns the same 404 for a session of somebody else, an ended one and none', async () => {
  const [person, stranger] = [await aSeller(server), await aBuyer(server)]
  const [foreign] = (await stranger.ask(listSessions)).sessions
  const gone = await signInWith(person, phone)
  const [ended] = (await gone.ask(listSessions)).sessions
  await person.ask(endOtherSessions)
  for (const sessionId of [foreign?._id ?? '', ended?._id ?? '', 'f'.repeat(24)])
    expect(await statusAndCode(person.send(endSession, { params: { sessionId } }))).toEqual([404, 'NotFound'])
  await stranger.ask(getUser)
})

// R-accounts-48
test('lists active sessions before past ones, also those that began with a link from an email', async () => {
  const person = await aSeller(server)
  const linked = await signInWith(person, phone)
  const [first] = (await linked.ask(listSessions)).sessions
  await server.query(`update sessions set signed_in_at = 'epoch' where id = $1`, [first?._id])
  await server.query(
    `insert into sessions (id, user_id, signed_in_at, expires_at, idle_seconds, ended_at, ended_because)
     select lpad(to_hex(n), 24, '0'), $1, keyturn_now(), keyturn_now(), 1, keyturn_now(), 'expired'
     from generate_series(1, 60) n`,
    [person.id],
  )
  const { sessions } = await person.ask(listSessions)
  expect(sessions.slice(0, 3)).toMatchObject([
    { _id: first?._id, signedInAt: null, isActive: true },
    { isCurrent: true, isActive: true },
    { isActive: false },
  ])
  const texts = sessions.map(({ signedInAt, network }) => sessionTexts.signedIn(signedInAt, network))
  expect(texts[0]).toBe('Signed in with a link from an email from 203.0.113.7')
  const file = await person.send(exportData, { body: { format: 'json' } })
  expect(JSON.parse(file.body).sessions).toContainEqual(
    expect.objectContaining({ signedInAt: null, signedInWith: 'A link from an email' }),
  )
  const state = await (await anAdministrator(server)).ask(readPersonState, { params: { userId: person.id } })
  expect(state.sessions.map(({ signedInAt }) => signedInAt)).toContain(null)
})
