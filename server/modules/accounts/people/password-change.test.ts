import * as calls from '@keyturn/contract/accounts/endpoints.ts'
import { expect, test } from 'vitest'
import { confirmedPassword } from '../../../../tests/support/http/visitors.ts'
import {
  aNewcomer,
  aSeller,
  readEmailedCode,
  readEmailedLink,
  readEmailsTo,
  type TestPerson,
} from '../../../../tests/support/people.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'

const server = await startTestServer()
const fresh = 'seven green bottles'

async function resetCode(person: TestPerson): Promise<string> {
  await server.browser().ask(calls.forgotPassword, { body: { email: person.email } })
  return readEmailedCode(server, person.email, '/password/reset')
}
const reset = (verificationCode: string, password = fresh) =>
  server.browser().send(calls.resetPassword, { body: { ...confirmedPassword(password), verificationCode } })
const verify = async (code: string) =>
  (await server.browser().send(calls.verifyEmail, { params: { code } })).status
const signIn = (email: string, password: string) =>
  server.browser().send(calls.login, { body: { email, password } })
const change = (person: TestPerson, more = {}) =>
  person.send(calls.changePassword, {
    body: { ...confirmedPassword(fresh), changePasswordId: person.id, ...more },
  })

// R-accounts-17
test('resets the password once by a link that shows when it expires, signs nobody in and emails the owner', async () => {
  const person = await aSeller(server)
  const code = await resetCode(person)
  const link = await readEmailedLink(server, person.email, '/password/reset')
  expect(Number(link.searchParams.get('exp')) - Date.now()).toBeGreaterThan(3_500_000)
  const sent = await reset(code)
  expect([sent.status, sent.body]).toEqual([200, '{"message":"Password reset successfully!"}'])
  expect([sent.headers['set-cookie']].flat().join()).not.toMatch(/\b(at|rt)=/)
  expect((await reset(code)).error).toMatchObject({ errorCode: 'InvalidResetCode' })
  expect((await signIn(person.email, person.password)).status).toBe(401)
  expect((await signIn(person.email, fresh)).status).toBe(200)
  expect((await person.send(calls.getUser)).status).toBe(401)
  expect((await readEmailsTo(server, person.email))[0]?.subject).toBe('Your password was changed')
})

// R-safe-17
test('accepts exactly one of twenty resets with the same code', async () => {
  const person = await aSeller(server)
  const code = await resetCode(person)
  const passwords = Array.from({ length: 20 }, (_, index) => `green bottle number ${index}`)
  const sent = await Promise.all(passwords.map((password) => reset(code, password)))
  const taken = passwords.filter((_, index) => sent[index]?.status === 200)
  expect(taken).toHaveLength(1)
  expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([200, 400]))
  expect((await signIn(person.email, taken[0] ?? '')).status).toBe(200)
})

// R-accounts-17, R-safe-17
test('rejects a reset code that is an hour old or was replaced by a newer one', async () => {
  const person = await aSeller(server)
  const old = await resetCode(person)
  const code = await resetCode(person)
  expect((await reset(old)).status).toBe(400)
  await server.moveClock('61 minutes')
  expect((await reset(code)).status).toBe(400)
  await server.moveClock('59 minutes')
  expect((await reset(code)).status).toBe(200)
  await server.moveClock('0')
})

test('rejects a code that was issued for another purpose', async () => {
  const person = await aNewcomer(server, 'SELLER')
  expect((await reset(await readEmailedCode(server, person.email))).status).toBe(400)
  expect(await verify(await resetCode(person))).toBe(400)
})

test('verifies the address when its owner resets the password, even if a stranger registered it', async () => {
  const squatter = await aNewcomer(server, 'SELLER')
  const link = await readEmailedCode(server, squatter.email)
  expect((await reset(await resetCode(squatter))).status).toBe(200)
  expect((await signIn(squatter.email, fresh)).answer.verified).toBe(true)
  expect((await squatter.send(calls.getUser)).status).toBe(401)
  // The verification link of the same address stays valid.
  expect(await verify(link)).toBe(200)
})

test('discards a pending address when the password is reset', async () => {
  const person = await aSeller(server)
  const email = `thief-of-${person.email}`
  await person.ask(calls.editUser, { body: { email } })
  const thiefs = await readEmailedCode(server, email)
  expect((await reset(await resetCode(person))).status).toBe(200)
  expect(await verify(thiefs)).toBe(400)
  expect((await signIn(person.email, fresh)).answer).toMatchObject({
    email: person.email,
    pendingEmail: null,
  })
})

test('rejects a common or mistyped new password without using up the code', async () => {
  const person = await aSeller(server)
  const code = await resetCode(person)
  for (const password of ['password1', `${person.firstName}${person.lastName}`]) {
    expect((await reset(code, password)).error.errorCode).toBe('CommonPassword')
    expect((await change(person, confirmedPassword(password))).error.errorCode).toBe('CommonPassword')
  }
  const body = { password: fresh, confirmPassword: 'x', verificationCode: code }
  const { error } = await server.browser().send(calls.resetPassword, { body })
  expect(error.errors).toEqual([{ path: 'confirmPassword', message: 'Passwords do not match.' }])
  expect((await reset(code)).status).toBe(200)
})

// R-accounts-16
test('changes the password after a recent sign-in, and ends all other sessions', async () => {
  const person = await aSeller(server)
  const other = server.browser()
  await other.ask(calls.login, { body: { email: person.email, password: person.password } })
  const before = person.cookies.get('rt')
  const sent = await change(person)
  expect([sent.status, sent.body]).toEqual([200, '{"message":"Password Changed Successfully!"}'])
  expect((await person.send(calls.getUser)).status).toBe(200)
  expect(person.cookies.get('rt')).not.toBe(before)
  expect((await other.send(calls.getUser)).status).toBe(401)
  expect((await signIn(person.email, fresh)).status).toBe(200)
  expect((await readEmailsTo(server, person.email))[0]?.subject).toBe('Your password was changed')
})

// R-accounts-14
test('requires the current password from 15 minutes after sign-in', async () => {
  const person = await aSeller(server)
  await server.query(
    `update sessions set signed_in_at = signed_in_at - interval '16 minutes' where user_id = $1`,
    [person.id],
  )
  for (const more of [{}, { currentPassword: '' }, { currentPassword: 'not this one' }])
    expect((await change(person, more)).error.errorCode).toBe('ReauthenticationRequired')
  expect((await change(person, { currentPassword: person.password })).status).toBe(200)
})
