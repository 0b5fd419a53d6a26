import * as calls from '@keyturn/contract/accounts/endpoints.ts'
import { createToken } from '@keyturn/contract/accounts/tokens.ts'
import { expect, test } from 'vitest'
import { confirmedPassword } from '../../../../tests/support/http/visitors.ts'
import { aNewcomer, aSeller, readEmailedCode, type TestPerson } from '../../../../tests/support/people.ts'
import { openSecondSession } from '../../../../tests/support/second-session.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'
import { statusAndCode } from '../../../../tests/support/trades.ts'

// A password or an address that changes between the check and the lock must be noticed.

const server = await startTestServer()
const whileChanging = await openSecondSession(server)
const fresh = confirmedPassword('seven green bottles')
const another = "password_hash = 'another'"
const moved = "email = 'moved-' || email"
const asked = [403, 'ReauthenticationRequired']
const userRow = async (id: string) =>
  (await server.query('select password_hash, pending_email from users where id = $1', [id]))[0]

test.each([
  ['a password change', another, 401, 1],
  ['an address change', moved, 401, 1],
  ['a name change', "first_name = 'Ada'", 200, 2],
])('returns $2 for a sign-in concurrent with %s', async (_, change, expected, sessions) => {
  const { id, email, password } = await aSeller(server)
  const { status } = await whileChanging(id, change, () =>
    server.browser().send(calls.login, { body: { email, password } }),
  )
  expect(status).toBe(expected)
  // Includes the session from the registration.
  const open = await server.query('select from sessions where user_id = $1 and ended_at is null', [id])
  expect(open).toHaveLength(sessions)
})

test('rejects a new address when the password was changed concurrently', async () => {
  const person = await aSeller(server)
  const body = { email: 'elsewhere@example.com', currentPassword: person.password }
  const sent = await whileChanging(person.id, another, () =>
    statusAndCode(person.send(calls.editUser, { body })),
  )
  expect(sent).toEqual(asked)
  expect(await userRow(person.id)).toMatchObject({ pending_email: null })
})

test('requires the password when the person was verified in the meantime', async () => {
  const person = await aNewcomer(server, 'SELLER')
  const sent = await whileChanging(person.id, 'verified_at = now()', () =>
    statusAndCode(person.send(calls.editUser, { body: { email: 'elsewhere@example.com' } })),
  )
  expect(sent).toEqual(asked)
})

test('rejects a new password when the password was changed concurrently', async () => {
  const person = await aSeller(server)
  const body = { ...fresh, changePasswordId: person.id, currentPassword: person.password }
  const sent = await whileChanging(person.id, another, () =>
    statusAndCode(person.send(calls.changePassword, { body })),
  )
  expect(sent).toEqual(asked)
  expect(await userRow(person.id)).toMatchObject({ password_hash: 'another' })
})

test('rejects a reset code when the address was changed concurrently', async () => {
  const { id, email } = await aSeller(server)
  await server.browser().ask(calls.forgotPassword, { body: { email } })
  const verificationCode = await readEmailedCode(server, email, '/password/reset')
  const before = await userRow(id)
  const sent = await whileChanging(id, moved, () =>
    statusAndCode(server.browser().send(calls.resetPassword, { body: { ...fresh, verificationCode } })),
  )
  expect(sent).toEqual([400, 'InvalidResetCode'])
  expect(await userRow(id)).toEqual(before)
})

const withSessionEnded: [what: string, act: (by: TestPerson) => Promise<{ status: number; body: string }>][] =
  [
    [
      'a new password',
      (by) => {
        const body = { ...fresh, changePasswordId: by.id, currentPassword: by.password }
        return by.send(calls.changePassword, { body })
      },
    ],
    ['a new address', (by) => by.send(calls.editUser, { body: { email: 'elsewhere@example.com' } })],
    ['a new access token', (by) => by.send(createToken, { body: { name: 'Script', scopes: ['cars:read'] } })],
  ]

// R-accounts-61
test.each(withSessionEnded)('rejects %s when the session was ended concurrently', async (_, act) => {
  const person = await aSeller(server)
  const before = await userRow(person.id)
  const end = 'update sessions set ended_at = keyturn_now() where user_id = $1'
  const sent = await whileChanging(
    person.id,
    'first_name = first_name',
    () => statusAndCode(act(person)),
    end,
  )
  expect(sent).toEqual([401, 'InvalidAccessToken'])
  expect(await userRow(person.id)).toEqual(before)
  expect(await server.query('select from personal_tokens where user_id = $1', [person.id])).toEqual([])
})
