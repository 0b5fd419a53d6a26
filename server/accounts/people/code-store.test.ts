import { editUser, forgotPassword, resetPassword, verifyEmail } from '@keyturn/contract/accounts/calls.ts'
import { expect, test } from 'vitest'
import { openHouse } from '../../test/house.ts'
import { aNewcomer, aSeller, mailedCode, type TestPerson } from '../../test/people.ts'
import { hashToken } from '../sessions/cookies.ts'
import { findGoodCode, spendCode } from './code-store.ts'

// Of the codes for one purpose only the newest is good. It is held twice: a new one replaces the others, and neither
// looking a code up nor spending it takes a replaced one. Each is tried alone, since the next would hide its absence.

const house = await openHouse()
const { db } = house.deps

async function aResetCode({ email }: TestPerson): Promise<string> {
  await house.browser().ask(forgotPassword, { body: { email } })
  return mailedCode(house, email, '/password/reset')
}

async function twoResetCodes() {
  const person = await aSeller(house)
  return { person, first: await aResetCode(person), second: await aResetCode(person) }
}

test('a new code replaces the one before, and only that', async () => {
  const [person, other] = [await aNewcomer(house, 'SELLER'), await aNewcomer(house, 'BUYER')]
  for (const one of [person, other, person]) await aResetCode(one)
  const codesOf = ({ id }: TestPerson) =>
    house.query<{ purpose: string; replaced: boolean }>(
      `select purpose, superseded_at is not null as replaced from email_codes where user_id = $1 order by created_at`,
      [id],
    )
  expect(await codesOf(person)).toEqual([
    { purpose: 'verify', replaced: false },
    { purpose: 'reset', replaced: true },
    { purpose: 'reset', replaced: false },
  ])
  expect(await codesOf(other)).toEqual([
    { purpose: 'verify', replaced: false },
    { purpose: 'reset', replaced: false },
  ])
})

test('a code keeps the time when it was replaced', async () => {
  const { person } = await twoResetCodes()
  const replaced = () =>
    house.query(
      'select superseded_at::text from email_codes where user_id = $1 and superseded_at is not null order by 1',
      [person.id],
    )
  const [first] = await replaced()
  await aResetCode(person)
  const both = await replaced()
  expect([both.length, both[0]]).toEqual([2, first])
})

test('a link that verified goes on saying so while another address waits', async () => {
  const person = await aSeller(house)
  const code = await mailedCode(house, person.email)
  await person.ask(editUser, { body: { email: `moved-${person.email}` } })
  expect((await house.browser().send(verifyEmail, { params: { code } })).status).toBe(200)
})

test('a replaced code is not found', async () => {
  const { first, second } = await twoResetCodes()
  const found = (code: string) => findGoodCode(db, { hash: hashToken(code), purpose: 'reset' })
  expect([(await found(first)).length, (await found(second)).length]).toEqual([0, 1])
})

// R-safe-17
test('a replaced code cannot be spent', async () => {
  const { first, second } = await twoResetCodes()
  const spent = (code: string) => spendCode(db, { hash: hashToken(code) })
  expect([(await spent(first)).length, (await spent(second)).length]).toEqual([0, 1])
})

test('a code is spent once, and not after its time', async () => {
  const { second } = await twoResetCodes()
  const spent = async () => (await spendCode(db, { hash: hashToken(second) })).length
  await house.moveClock('61 minutes')
  const late = await spent()
  await house.moveClock('0')
  expect([late, await spent(), await spent()]).toEqual([0, 1, 0])
})

test('the older of two reset links resets nothing, the newer one does', async () => {
  const { first, second } = await twoResetCodes()
  const password = 'green bottles on a wall'
  const reset = (verificationCode: string) =>
    house.browser().send(resetPassword, { body: { password, confirmPassword: password, verificationCode } })
  expect([(await reset(first)).status, (await reset(second)).status]).toEqual([400, 200])
})
