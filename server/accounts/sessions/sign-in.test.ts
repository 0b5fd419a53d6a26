import { login } from '@keyturn/contract/accounts/calls.ts'
import { expect, test } from 'vitest'
import { openHouse } from '../../test/house.ts'
import { openMeanwhile } from '../../test/meanwhile.ts'
import { aSeller } from '../../test/people.ts'

// What was right when it was looked at must still be so under the lock: another password or address in between counts.

const house = await openHouse()
const whileChanging = await openMeanwhile(house)

/** Signs in while somebody else changes the person: the password was looked at before, the session comes after. */
async function signInDuring(change: string) {
  const person = await aSeller(house)
  const { email, password } = person
  const { status } = await whileChanging(person.id, change, () =>
    house.browser().send(login, { body: { email, password } }),
  )
  const sessions = await house.query('select 1 from sessions where user_id = $1 and ended_at is null', [
    person.id,
  ])
  // The one of their registration.
  return [status, sessions.length]
}

test('a password that was changed meanwhile signs nobody in', async () => {
  expect(await signInDuring("password_hash = 'another'")).toEqual([401, 1])
})

test('an address that was changed meanwhile signs nobody in', async () => {
  expect(await signInDuring("email = 'moved-' || email")).toEqual([401, 1])
})

test('what else changes meanwhile keeps nobody out', async () => {
  expect(await signInDuring("first_name = 'Ada'")).toEqual([200, 2])
})
