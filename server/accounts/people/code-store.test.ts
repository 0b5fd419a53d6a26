import { forgotPassword, resetPassword } from '@keyturn/contract/accounts/calls.ts'
import { expect, test } from 'vitest'
import { openHouse } from '../../test/house.ts'
import { aSeller, mailedCode } from '../../test/people.ts'
import { hashToken } from '../sessions/cookies.ts'
import { findGoodCode, spendCode } from './code-store.ts'

// Of the codes for one purpose only the newest is good. It is held twice: a new one replaces the others, and neither
// looking a code up nor spending it takes a replaced one. Each is tried alone, since the next would hide its absence.

const house = await openHouse()
const { db } = house.deps

async function twoResetCodes() {
  const person = await aSeller(house)
  const ask = async () => {
    await house.browser().ask(forgotPassword, { body: { email: person.email } })
    return mailedCode(house, person.email, '/password/reset')
  }
  return { person, first: await ask(), second: await ask() }
}

test('a new code replaces the one before, and only that', async () => {
  const { person } = await twoResetCodes()
  const codes = await house.query<{ purpose: string; replaced: boolean }>(
    `select purpose, superseded_at is not null as replaced from email_codes where user_id = $1 order by created_at`,
    [person.id],
  )
  expect(codes).toEqual([
    { purpose: 'verify', replaced: false },
    { purpose: 'reset', replaced: true },
    { purpose: 'reset', replaced: false },
  ])
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

test('the older of two reset links resets nothing, the newer one does', async () => {
  const { first, second } = await twoResetCodes()
  const password = 'green bottles on a wall'
  const reset = (verificationCode: string) =>
    house.browser().send(resetPassword, { body: { password, confirmPassword: password, verificationCode } })
  expect([(await reset(first)).status, (await reset(second)).status]).toEqual([400, 200])
})
