import {
  changePassword,
  forgotPassword,
  getUser,
  login,
  logout,
  resetPassword,
} from '@keyturn/contract/accounts/endpoints.ts'
import {
  addPasskey,
  dismissPasskeyOffer,
  listPasskeys,
  removePasskey,
  renamePasskey,
  signInWithPasskey,
  startAddingPasskey,
  startPasskeySignIn,
} from '@keyturn/contract/accounts/passkeys.ts'
import { deleteUser } from '@keyturn/contract/deals/endpoints.ts'
import { expect, test } from 'vitest'
import { createAuthenticator } from '../../../../tests/support/http/authenticator.ts'
import { confirmedPassword, copyBrowser, newAddressHeaders } from '../../../../tests/support/http/visitors.ts'
import {
  aBuyer,
  aNewcomer,
  aSeller,
  aWholesaler,
  readEmailedCode,
  readEmailsTo,
  type TestPerson,
} from '../../../../tests/support/people.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'
import { statusAndCode } from '../../../../tests/support/trades.ts'

const origin = { PUBLIC_URL: 'http://localhost:3000' }
const server = await startTestServer(origin)
const strict = await startTestServer({ ...origin, RATE_LIMITS: 'on', TRUST_PROXY_HOPS: '1' })

const invalid = [401, 'InvalidPasskey']
const notAdded = [400, 'PasskeyNotAdded']

const namesOf = async (person: TestPerson) =>
  (await person.ask(listPasskeys)).passkeys.map(({ name }) => name)
const subjectsTo = async ({ email }: TestPerson) =>
  (await readEmailsTo(server, email)).map(({ subject }) => subject)
const eventsOf = async ({ id }: TestPerson) =>
  (
    await server.query<{ event: string }>(
      `select event from account_events where user_id = $1 and event like 'pass%' order by id`,
      [id],
    )
  ).map(({ event }) => event)

async function aPersonWithPasskey() {
  const [person, authenticator] = [await aSeller(server), createAuthenticator()]
  const { _id } = (await authenticator.addTo(person)).answer
  return { person, authenticator, passkeyId: _id }
}

// R-accounts-43
test('signs in with a passkey as with the password, for buyers, sellers and wholesalers', async () => {
  for (const person of [await aBuyer(server), await aSeller(server), await aWholesaler(server)]) {
    const authenticator = createAuthenticator()
    expect((await authenticator.addTo(person)).status).toBe(201)
    const browser = server.browser()
    const signedIn = await authenticator.signIn(browser)
    expect(signedIn.answer).toEqual(await person.ask(getUser))
    expect(await browser.ask(getUser)).toEqual(await person.ask(getUser))
    expect([...browser.cookies.keys()].sort()).toEqual([...person.cookies.keys()].sort())
    const networks = await server.query('select 1 from known_networks where owner = $1', [person.id])
    expect(networks).toHaveLength(1)
    expect((await person.ask(listPasskeys)).passkeys[0]?.lastUsedAt).not.toBeNull()
    await browser.ask(logout)
    expect((await browser.send(getUser)).status).toBe(401)
  }
})

// R-accounts-43
test('rejects a sign-in of another site, without user verification, with a changed signature or handle', async () => {
  const { person, authenticator } = await aPersonWithPasskey()
  const signIn = (how: object) => authenticator.signIn(server.browser(), how)
  expect(await statusAndCode(signIn({ origin: 'https://keyturn.example' }))).toEqual(invalid)
  expect(await statusAndCode(signIn({ rpId: 'keyturn.example' }))).toEqual(invalid)
  expect(await statusAndCode(signIn({ isVerified: false }))).toEqual(invalid)
  const other = await aBuyer(server)
  const changes = [
    { userHandle: Buffer.from(other.id).toString('base64url') },
    { signature: createAuthenticator().forgedSignIn().response.signature },
  ]
  for (const change of changes) {
    const browser = server.browser()
    const signed = authenticator.get(await browser.ask(startPasskeySignIn))
    const credential = { ...signed, response: { ...signed.response, ...change } }
    expect(await statusAndCode(browser.send(signInWithPasskey, { body: { credential } }))).toEqual(invalid)
  }
  expect((await authenticator.signIn(server.browser(), {})).answer._id).toBe(person.id)
})

// R-accounts-43
test('accepts each challenge once, for five minutes, and only for its purpose and session', async () => {
  const { person, authenticator } = await aPersonWithPasskey()
  const browser = server.browser()
  const signIn = (credential: object) =>
    statusAndCode(browser.send(signInWithPasskey, { body: { credential } }))
  const used = authenticator.get(await browser.ask(startPasskeySignIn))
  expect((await browser.send(signInWithPasskey, { body: { credential: used } })).status).toBe(200)
  expect(await signIn(used)).toEqual(invalid)
  // A failed response consumes the challenge too.
  const challenge = await browser.ask(startPasskeySignIn)
  expect(await signIn(authenticator.get(challenge, { isVerified: false }))).toEqual(invalid)
  expect(await signIn(authenticator.get(challenge))).toEqual(invalid)
  const old = authenticator.get(await browser.ask(startPasskeySignIn))
  await server.query(`update passkey_challenges set expires_at = keyturn_now()`)
  expect(await signIn(old)).toEqual(invalid)
  expect(await signIn(authenticator.forgedSignIn())).toEqual(invalid)

  const add = (by: TestPerson, credential: object) =>
    statusAndCode(by.send(addPasskey, { body: { credential } }))
  const options = await person.ask(startAddingPasskey, { body: {} })
  expect(await signIn(authenticator.get({ challenge: options.challenge, rpId: 'localhost' }))).toEqual(
    invalid,
  )
  const stranger = await aBuyer(server)
  const own = await person.ask(startAddingPasskey, { body: {} })
  expect(await add(stranger, createAuthenticator().create(own))).toEqual(notAdded)
  const forSignIn = await browser.ask(startPasskeySignIn)
  const disguised = { ...own, challenge: forSignIn.challenge }
  expect(await add(person, createAuthenticator().create(disguised))).toEqual(notAdded)
  expect(await server.query('select 1 from passkey_challenges')).toEqual([])
})

// R-accounts-43
test('consumes a challenge once when twenty requests present it at the same time', async () => {
  const { authenticator } = await aPersonWithPasskey()
  const credential = authenticator.get(await server.browser().ask(startPasskeySignIn))
  const send = () => server.browser().send(signInWithPasskey, { body: { credential } })
  const statuses = (await Promise.all(Array.from({ length: 20 }, send))).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  expect(new Set(statuses)).toEqual(new Set([200, 401]))
})

// R-accounts-43
test('rejects a signature counter that does not advance, and accepts authenticators without one', async () => {
  const { authenticator } = await aPersonWithPasskey()
  const signIn = async (count: number) => (await authenticator.signIn(server.browser(), { count })).status
  expect([await signIn(0), await signIn(0)]).toEqual([200, 200])
  expect([await signIn(7), await signIn(7), await signIn(6), await signIn(0)]).toEqual([200, 401, 401, 401])
  expect(await signIn(8)).toBe(200)
})

// R-accounts-44
test('says nothing about accounts when a passkey sign-in starts or fails', async () => {
  const { person, authenticator } = await aPersonWithPasskey()
  const [known, unknown] = [
    await person.send(startPasskeySignIn),
    await server.browser().send(startPasskeySignIn),
  ]
  const { challenge, ...same } = known.answer
  expect(unknown.answer).toMatchObject(same)
  expect(Object.keys(known.answer).sort()).toEqual(['challenge', 'rpId', 'timeout', 'userVerification'])
  expect(unknown.answer.challenge).not.toBe(challenge)
  const failed = async (credential: object) => {
    const sent = await server.browser().send(signInWithPasskey, { body: { credential } })
    return [sent.status, sent.body, Object.keys(sent.headers)]
  }
  const wrong = authenticator.get(await server.browser().ask(startPasskeySignIn), { isVerified: false })
  expect(await failed(createAuthenticator().forgedSignIn())).toEqual(await failed(wrong))
})

// R-accounts-44
test('counts failed passkey sign-ins per network, apart from those with a password', async () => {
  const [person, authenticator, headers] = [
    await aSeller(strict, {}, newAddressHeaders()),
    createAuthenticator(),
    newAddressHeaders(),
  ]
  await authenticator.addTo(person)
  const forged = { body: { credential: createAuthenticator().forgedSignIn() } }
  for (let i = 0; i < 50; i++) await strict.browser().send(signInWithPasskey, forged, headers)
  expect(await statusAndCode(strict.browser().send(signInWithPasskey, forged, headers))).toEqual([
    429,
    'TooManyRequests',
  ])
  const withPassword = { body: { email: person.email, password: person.password } }
  expect((await strict.browser().send(login, withPassword, headers)).status).toBe(200)
  expect((await authenticator.signIn(strict.browser(), {}, newAddressHeaders())).status).toBe(200)
})

// R-accounts-45
test('adds, renames and removes passkeys, with an email and an event for adding and removing', async () => {
  const person = await aSeller(server)
  const google = createAuthenticator(Buffer.from('ea9b8d664d011d213ce4b6b48cb575d4', 'hex'))
  const other = createAuthenticator()
  const first = (await google.addTo(person)).answer
  expect(first).toMatchObject({ name: 'Google Password Manager', lastUsedAt: null })
  await other.addTo(person)
  expect(await namesOf(person)).toEqual(['Google Password Manager', 'A browser'])
  const params = { passkeyId: first._id }
  const renamed = await person.ask(renamePasskey, { params, body: { name: '  My phone ' } })
  expect(renamed).toEqual({ ...first, name: 'My phone' })
  await person.ask(removePasskey, { params, body: {} })
  expect(await namesOf(person)).toEqual(['A browser'])
  expect(await statusAndCode(google.signIn(server.browser()))).toEqual(invalid)
  expect((await other.signIn(server.browser())).status).toBe(200)
  expect((await subjectsTo(person)).slice(0, 3)).toEqual([
    'A passkey was removed from your account',
    'A passkey was added to your account',
    'A passkey was added to your account',
  ])
  expect(await eventsOf(person)).toEqual(['passkeyAdded', 'passkeyAdded', 'passkeyRemoved'])
})

// R-accounts-45
test('requires the password for adding and removing from 15 minutes after sign-in', async () => {
  const { person, passkeyId } = await aPersonWithPasskey()
  await server.query(
    `update sessions set signed_in_at = keyturn_now() - interval '16 minutes' where user_id = $1`,
    [person.id],
  )
  const params = { passkeyId }
  const asked = [403, 'ReauthenticationRequired']
  for (const body of [{}, { currentPassword: 'not this one' }]) {
    expect(await statusAndCode(person.send(startAddingPasskey, { body }))).toEqual(asked)
    expect(await statusAndCode(person.send(removePasskey, { params, body }))).toEqual(asked)
  }
  const body = { currentPassword: person.password }
  const options = await person.ask(startAddingPasskey, { body })
  const credential = createAuthenticator().create(options)
  expect((await person.send(addPasskey, { body: { credential } })).status).toBe(201)
  expect((await person.send(removePasskey, { params, body })).status).toBe(200)
})

// R-accounts-45
test('hides other people’s passkeys, rejects unverified people, a known credential and an eleventh passkey', async () => {
  const { person, authenticator, passkeyId } = await aPersonWithPasskey()
  const stranger = await aBuyer(server)
  const params = { passkeyId }
  expect(await statusAndCode(stranger.send(renamePasskey, { params, body: { name: 'Mine' } }))).toEqual([
    404,
    'NotFound',
  ])
  expect(await statusAndCode(stranger.send(removePasskey, { params, body: {} }))).toEqual([404, 'NotFound'])
  expect(await namesOf(stranger)).toEqual([])
  const newcomer = await aNewcomer(server, 'BUYER')
  expect(await statusAndCode(newcomer.send(startAddingPasskey, { body: {} }))).toEqual([
    403,
    'EmailNotVerified',
  ])
  expect(await statusAndCode(authenticator.addTo(stranger))).toEqual(notAdded)
  for (const how of [
    { isVerified: false },
    { origin: 'https://keyturn.example' },
    { rpId: 'keyturn.example' },
  ])
    expect(await statusAndCode(createAuthenticator().addTo(stranger, how))).toEqual(notAdded)
  const options = await person.ask(startAddingPasskey, { body: {} })
  for (let i = 0; i < 9; i++) expect((await createAuthenticator().addTo(person)).status).toBe(201)
  const tooMany = [409, 'TooManyPasskeys']
  expect(await statusAndCode(person.send(startAddingPasskey, { body: {} }))).toEqual(tooMany)
  const credential = createAuthenticator().create(options)
  expect(await statusAndCode(person.send(addPasskey, { body: { credential } }))).toEqual(tooMany)
})

// R-accounts-45
test('removes all passkeys when the password is reset, and none when it is changed', async () => {
  const { person, authenticator } = await aPersonWithPasskey()
  const thief = copyBrowser(server, person)
  const options = await thief.ask(startAddingPasskey, { body: {} })
  const both = confirmedPassword('seven green bottles')
  await person.ask(changePassword, {
    body: { ...both, changePasswordId: person.id, currentPassword: person.password },
  })
  expect((await authenticator.signIn(server.browser())).status).toBe(200)
  // The session of this challenge has ended.
  const late = { body: { credential: createAuthenticator().create(options) } }
  expect((await thief.send(addPasskey, late)).status).toBe(401)
  expect(await statusAndCode(person.send(addPasskey, late))).toEqual(notAdded)

  await person.ask(forgotPassword, { body: { email: person.email } })
  const verificationCode = await readEmailedCode(server, person.email, '/password/reset')
  await person.ask(resetPassword, { body: { ...both, verificationCode } })
  expect(await statusAndCode(authenticator.signIn(server.browser()))).toEqual(invalid)
  const [mail] = await readEmailsTo(server, person.email)
  expect(mail?.text).toContain('Its passkeys were removed.')
  expect(await eventsOf(person)).toEqual([
    'passkeyAdded',
    'passwordChanged',
    'passwordReset',
    'passkeyRemoved',
  ])
})

// R-accounts-46
test('counts a sign-in with a passkey where a recent sign-in is required, also after a password change', async () => {
  const { person, authenticator } = await aPersonWithPasskey()
  const browser = server.browser()
  await authenticator.signIn(browser)
  const both = confirmedPassword('seven green bottles')
  await browser.ask(changePassword, { body: { ...both, changePasswordId: person.id } })
  const [session] = await server.query(
    'select with_passkey from sessions where user_id = $1 and ended_at is null',
    [person.id],
  )
  expect(session).toEqual({ with_passkey: true })
  expect((await browser.send(deleteUser, { params: { userType: 'SELLER', id: person.id } })).status).toBe(200)
})

// R-accounts-37
test('deletes the passkeys with the account', async () => {
  const { person, authenticator } = await aPersonWithPasskey()
  await person.ask(deleteUser, { params: { userType: 'SELLER', id: person.id } })
  expect(await server.query('select 1 from passkeys where user_id = $1', [person.id])).toEqual([])
  expect(await statusAndCode(authenticator.signIn(server.browser()))).toEqual(invalid)
})

// R-accounts-47
test('offers a passkey after a password sign-in, until the person has one or declines', async () => {
  const isOffered = async (person: Pick<TestPerson, 'ask'>) => (await person.ask(listPasskeys)).isOffered
  const [person, other] = [await aSeller(server), await aSeller(server)]
  expect(await isOffered(person)).toBe(true)
  await server.query(
    `update sessions set signed_in_at = keyturn_now() - interval '16 minutes' where user_id = $1`,
    [person.id],
  )
  expect(await isOffered(person)).toBe(false)
  await person.ask(login, { body: person })
  expect(await isOffered(person)).toBe(true)
  await person.ask(dismissPasskeyOffer)
  const elsewhere = server.browser()
  await elsewhere.ask(login, { body: person })
  expect(await isOffered(elsewhere)).toBe(false)

  const authenticator = createAuthenticator()
  const { _id: passkeyId } = (await authenticator.addTo(other)).answer
  expect(await isOffered(other)).toBe(false)
  await authenticator.signIn(other)
  await other.ask(removePasskey, { params: { passkeyId }, body: {} })
  // This session began with a passkey.
  expect(await isOffered(other)).toBe(false)
})
