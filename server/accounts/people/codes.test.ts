import { register, sendVerification, verifyEmail } from '@keyturn/contract/accounts/calls.ts'
import { addCar } from '@keyturn/contract/cars/calls.ts'
import { expect, test } from 'vitest'
import { transaction } from '../../db/open.ts'
import { aCarForm } from '../../test/deals.ts'
import { openHouse } from '../../test/house.ts'
import { aForm, aSeller, mailedCode, mailedLink } from '../../test/people.ts'
import { mailVerification } from './codes.ts'

const house = await openHouse()

test('a link sent again before the first is opened leads to the same car; a later change of address leads to none', async () => {
  const seller = await aSeller(house)
  const { vin } = await seller.ask(addCar, { body: aCarForm() })
  const form = aForm()
  const browser = house.browser()
  const body = { ...form, userType: 'BUYER', confirmPassword: form.password, vin, userId: seller.id }
  const { _id } = await browser.ask(register, { body })
  await browser.ask(sendVerification, { body: { email: form.email } })
  expect(await carsIn(form.email)).toEqual([vin, seller.id])
  await browser.ask(verifyEmail, { params: { code: await mailedCode(house, form.email) } })
  const moved = `moved-${form.email}`
  await transaction(house.deps.db, (tx) => mailVerification(house.deps, tx, _id, moved))
  expect(await carsIn(moved)).toEqual([null, null])
})

async function carsIn(address: string) {
  const { searchParams } = await mailedLink(house, address, '/email/verify')
  return [searchParams.get('vin'), searchParams.get('userId')]
}
