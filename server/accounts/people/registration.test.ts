import { getUser, register } from '@keyturn/contract/accounts/calls.ts'
import { addCar } from '@keyturn/contract/cars/calls.ts'
import { beforeAll, expect, test } from 'vitest'
import { aCarForm } from '../../test/deals.ts'
import { openHouse } from '../../test/house.ts'
import { aForm, aSeller, mailedLink } from '../../test/people.ts'
import { hashPassword } from './passwords.ts'

const house = await openHouse({ RATE_LIMITS: 'on', TRUST_PROXY_HOPS: '1' })
let addresses = 0
const from = () => ({ 'x-forwarded-for': `198.51.100.${++addresses}` })
const registration = (wishes: Parameters<typeof aForm>[0] & { userType?: string } = {}) => {
  const form = aForm(wishes)
  return { userType: 'BUYER', ...form, ...wishes, confirmPassword: form.password }
}
const registerAs = (body: object, headers = from(), browser = house.browser()) =>
  browser.send(register, { body }, headers)

let seller: Awaited<ReturnType<typeof aSeller>>
beforeAll(async () => {
  seller = await aSeller(house)
})
async function aListedCar() {
  const car = aCarForm()
  await seller.ask(addCar, { body: car })
  return car.vin
}
const dealsOf = (buyerId: string) =>
  house.query<{ seller_id: string }>('select seller_id from deals where buyer_id = $1', [buyerId])

test('a password that is refused costs no turn', async () => {
  const home = from()
  const email = 'slow-starter@example.com'
  for (let i = 0; i < 6; i++) {
    const sent = await registerAs(registration({ email, password: 'password1' }), home)
    expect([sent.status, sent.refusal.errorCode]).toEqual([400, 'CommonPassword'])
  }
  expect((await registerAs(registration({ email }), home)).status).toBe(201)
})

test('who was sent away because the server was too busy has lost no turn', async () => {
  const home = from()
  const form = registration()
  let isBusy = true
  const workers = Array.from({ length: 34 }, async () => {
    while (isBusy) await hashPassword('something to do')
  })
  const statuses = []
  for (let i = 0; i < 4; i++) statuses.push((await registerAs(form, home)).status)
  isBusy = false
  await Promise.all(workers)
  expect(statuses).toEqual([503, 503, 503, 503])
  expect((await registerAs(form, home)).status).toBe(201)
})

test('a registration whose answer was lost signs in when it is sent again', async () => {
  const home = from()
  const form = registration()
  const key = { 'idempotency-key': 'one account, please' }
  const first = await registerAs(form, { ...home, ...key })
  const browser = house.browser()
  const again = await registerAs(form, { ...home, ...key }, browser)
  expect([again.status, again.headers['idempotent-replayed'], again.body]).toEqual([201, 'true', first.body])
  expect((await browser.ask(getUser))._id).toBe(first.answer._id)
})

test('sent again while too many sign in, it is asked to come back instead of being left without a session', async () => {
  const home = from()
  const form = registration()
  const key = { 'idempotency-key': 'one account, in a rush' }
  await registerAs(form, { ...home, ...key })
  let isBusy = true
  const workers = Array.from({ length: 34 }, async () => {
    while (isBusy) await hashPassword('something to do')
  })
  const refused = await registerAs(form, { ...home, ...key })
  isBusy = false
  await Promise.all(workers)
  expect([refused.status, refused.refusal.errorCode]).toEqual([503, 'HashQueueFull'])
  const browser = house.browser()
  expect((await registerAs(form, { ...home, ...key }, browser)).status).toBe(201)
  expect((await browser.send(getUser)).status).toBe(200)
})

test('sent again with the cookies of the first answer, it is still the same registration', async () => {
  const home = from()
  const form = registration()
  const key = { 'idempotency-key': 'one account, once more' }
  const browser = house.browser()
  const first = await registerAs(form, { ...home, ...key }, browser)
  const again = await registerAs(form, { ...home, ...key }, browser)
  expect([again.status, again.body]).toEqual([201, first.body])
  expect((await browser.ask(getUser))._id).toBe(first.answer._id)
})

test('sent again after the password has changed, it signs nobody in', async () => {
  const home = from()
  const form = registration()
  const key = { 'idempotency-key': 'one account, long ago' }
  const first = await registerAs(form, { ...home, ...key })
  await house.query('update users set password_hash = $2 where id = $1', [
    first.answer._id,
    await hashPassword('quite another one'),
  ])
  const browser = house.browser()
  expect((await registerAs(form, { ...home, ...key }, browser)).status).toBe(201)
  expect((await browser.send(getUser)).status).toBe(401)
})

// R-accounts-7
test('a VIN that was typed begins the purchase with its own seller, whoever shared another link', async () => {
  const vin = await aListedCar()
  const stranger = 'f'.repeat(24)
  const form = { ...registration(), vin, userId: stranger }
  const { answer } = await registerAs(form)
  expect(await dealsOf(answer._id)).toEqual([{ seller_id: seller.id }])
  const link = await mailedLink(house, form.email, '/email/verify')
  expect([link.searchParams.get('vin'), link.searchParams.get('userId')]).toEqual([vin, seller.id])
})

// R-accounts-7
test('of a VIN that nobody offers only the VIN is kept', async () => {
  const { vin } = aCarForm()
  const form = { ...registration(), vin, userId: seller.id }
  const { answer } = await registerAs(form)
  expect(await dealsOf(answer._id)).toEqual([])
  const link = await mailedLink(house, form.email, '/email/verify')
  expect([link.searchParams.get('vin'), link.searchParams.get('userId')]).toEqual([vin, null])
})

test('a wholesaler becomes nobody’s buyer by naming a VIN', async () => {
  const vin = await aListedCar()
  const { answer } = await registerAs({ ...registration(), userType: 'WHOLESALER', vin, userId: seller.id })
  expect(await dealsOf(answer._id)).toEqual([])
})
