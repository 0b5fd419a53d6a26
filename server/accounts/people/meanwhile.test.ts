import { changePassword, editUser, forgotPassword, resetPassword } from '@keyturn/contract/accounts/calls.ts'
import { expect, test } from 'vitest'
import { openHouse } from '../../test/house.ts'
import { openMeanwhile } from '../../test/meanwhile.ts'
import { aNewcomer, aSeller, mailedCode } from '../../test/people.ts'

// What was right when it was looked at must still be so under the lock: another password or address in between counts.

const house = await openHouse()
const whileChanging = await openMeanwhile(house)
const fresh = 'seven green bottles'
const another = "password_hash = 'another'"
const hashOf = async (id: string) =>
  (await house.query<{ hash: string }>('select password_hash as hash from users where id = $1', [id]))[0]
    ?.hash

test('with a password that was changed meanwhile nobody asks for another address', async () => {
  const person = await aSeller(house)
  const sent = await whileChanging(person.id, another, () =>
    person.send(editUser, { body: { email: 'elsewhere@example.com', currentPassword: person.password } }),
  )
  expect([sent.status, sent.refusal.errorCode]).toEqual([403, 'ReauthenticationRequired'])
  const [row] = await house.query('select pending_email from users where id = $1', [person.id])
  expect(row).toEqual({ pending_email: null })
})

test('who was verified meanwhile has to prove that they are themselves', async () => {
  const person = await aNewcomer(house, 'SELLER')
  const sent = await whileChanging(person.id, 'verified_at = now()', () =>
    person.send(editUser, { body: { email: 'elsewhere@example.com' } }),
  )
  expect([sent.status, sent.refusal.errorCode]).toEqual([403, 'ReauthenticationRequired'])
})

test('with a password that was changed meanwhile nobody sets a third one', async () => {
  const person = await aSeller(house)
  const sent = await whileChanging(person.id, another, () =>
    person.send(changePassword, {
      body: {
        password: fresh,
        confirmPassword: fresh,
        changePasswordId: person.id,
        currentPassword: person.password,
      },
    }),
  )
  expect([sent.status, sent.refusal.errorCode]).toEqual([403, 'ReauthenticationRequired'])
  expect(await hashOf(person.id)).toBe('another')
})

test('a reset that was mailed to an address which was changed meanwhile sets no password', async () => {
  const person = await aSeller(house)
  await house.browser().ask(forgotPassword, { body: { email: person.email } })
  const verificationCode = await mailedCode(house, person.email, '/password/reset')
  const before = await hashOf(person.id)
  const sent = await whileChanging(person.id, "email = 'moved-' || email", () =>
    house
      .browser()
      .send(resetPassword, { body: { password: fresh, confirmPassword: fresh, verificationCode } }),
  )
  expect([sent.status, sent.refusal.errorCode]).toEqual([400, 'InvalidResetCode'])
  expect(await hashOf(person.id)).toBe(before)
})
