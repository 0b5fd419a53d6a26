import { getUser, register } from '@keyturn/contract/accounts/endpoints.ts'
import { addCar } from '@keyturn/contract/cars/endpoints.ts'
import { expect, test } from 'vitest'
import { aRegistration, collectStatuses, newAddressHeaders } from '../../../../tests/support/http/visitors.ts'
import { aSeller, readEmailedLink } from '../../../../tests/support/people.ts'
import { aCarForm } from '../../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'
import { hashPassword } from './passwords.ts'

const server = await startTestServer({ RATE_LIMITS: 'on', TRUST_PROXY_HOPS: '1' })
const seller = await aSeller(server, {}, newAddressHeaders())
const registerAs = (
  body: object,
  headers: Record<string, string> = newAddressHeaders(),
  browser = server.browser(),
) => browser.send(register, { body }, headers)

async function aListedCar() {
  const car = aCarForm()
  await seller.ask(addCar, { body: car })
  return car.vin
}
const dealsOf = (buyerId: string) =>
  server.query<{ seller_id: string }>('select seller_id from deals where buyer_id = $1', [buyerId])

/** Returns the car that the emailed link leads to. */
async function linkTo(email: string) {
  const { searchParams } = await readEmailedLink(server, email, '/email/verify')
  return [searchParams.get('vin'), searchParams.get('userId')]
}

/** Runs `act` while the hash queue is full. */
async function whileBusy<T>(act: () => Promise<T>): Promise<T> {
  let isBusy = true
  const workers = Array.from({ length: 34 }, async () => {
    while (isBusy) await hashPassword('something to do')
  })
  const done = await act()
  isBusy = false
  await Promise.all(workers)
  return done
}

test('does not count a rejected password against the limit', async () => {
  const home = newAddressHeaders()
  const email = 'slow-starter@example.com'
  const weak = aRegistration({ email, password: 'password1' })
  expect(await collectStatuses(6, () => registerAs(weak, home))).toEqual(Array(6).fill(400))
  expect((await registerAs(aRegistration({ email }), home)).status).toBe(201)
})

// R-accounts-41
test('allows thirty accounts an hour from a network, and counts no form that was refused', async () => {
  let count = 0
  const home = () => ({ 'x-forwarded-for': `2001:db8:77:1::${++count}` })
  const taken = await Promise.all([1, 2, 3, 4].map(() => aSeller(server, {}, newAddressHeaders())))
  for (const { email } of taken)
    expect(await collectStatuses(2, () => registerAs(aRegistration({ email }), home()))).toEqual([409, 409])
  const made = () => registerAs(aRegistration(), home())
  for (let index = 0; index < 10; index++)
    expect((await Promise.all([made(), made(), made()])).map(({ status }) => status)).toEqual([201, 201, 201])
  const next = aRegistration()
  expect(await collectStatuses(4, () => registerAs(next, home()))).toEqual([429, 429, 429, 429])
  // The refused form counts neither against its address nor against other networks.
  expect((await registerAs(next, { 'x-forwarded-for': '2001:db8:77:2::1' })).status).toBe(201)
})

// R-accounts-41
test('allows sixty forms an hour from a network that name the address of an account', {
  tags: ['full'],
}, async () => {
  const home = newAddressHeaders()
  const people = await Promise.all(Array.from({ length: 4 }, () => aSeller(server, {}, newAddressHeaders())))
  const forms = people.map(({ email }) => aRegistration({ email }))
  // The count of each address is removed, because it ends before the network's.
  const tries = await collectStatuses(61, async (index) => {
    await server.query(`delete from throttles where bucket like 'register-address %'`)
    return registerAs(forms[index % 4] ?? {}, home)
  })
  expect(tries).toEqual([...Array(60).fill(409), 429])
})

test('does not count a request rejected by a busy server', async () => {
  const home = newAddressHeaders()
  const form = aRegistration()
  const statuses = await whileBusy(() => collectStatuses(4, () => registerAs(form, home)))
  expect(statuses).toEqual([503, 503, 503, 503])
  expect((await registerAs(form, home)).status).toBe(201)
})

test.each(['other cookies', 'the same cookies'])(
  'signs in with %s when a registration is repeated because its response was lost',
  async (cookies) => {
    const form = aRegistration()
    const headers = { ...newAddressHeaders(), 'idempotency-key': `one account with ${cookies}` }
    const browser = server.browser()
    const first = await registerAs(form, headers, cookies === 'the same cookies' ? browser : undefined)
    const again = await registerAs(form, headers, browser)
    expect([again.status, again.headers['idempotent-replayed'], again.body]).toEqual([
      201,
      'true',
      first.body,
    ])
    expect((await browser.ask(getUser))._id).toBe(first.answer._id)
  },
)

test('returns 503 rather than no session when it is repeated while the hash queue is full', async () => {
  const form = aRegistration()
  const headers = { ...newAddressHeaders(), 'idempotency-key': 'one account, in a rush' }
  await registerAs(form, headers)
  const refused = await whileBusy(() => registerAs(form, headers))
  expect([refused.status, refused.error.errorCode]).toEqual([503, 'HashQueueFull'])
  const browser = server.browser()
  expect((await registerAs(form, headers, browser)).status).toBe(201)
  expect((await browser.send(getUser)).status).toBe(200)
})

test('signs nobody in when it is repeated after the password has changed', async () => {
  const form = aRegistration()
  const headers = { ...newAddressHeaders(), 'idempotency-key': 'one account, long ago' }
  const { answer } = await registerAs(form, headers)
  const hash = await hashPassword('quite another one')
  await server.query('update users set password_hash = $2 where id = $1', [answer._id, hash])
  const browser = server.browser()
  expect((await registerAs(form, headers, browser)).status).toBe(201)
  expect((await browser.send(getUser)).status).toBe(401)
})

// R-accounts-7
test('starts the purchase with the seller of the entered VIN, not with the link’s seller', async () => {
  const vin = await aListedCar()
  const form = { ...aRegistration(), vin, userId: 'f'.repeat(24) }
  const { answer } = await registerAs(form)
  expect(await dealsOf(answer._id)).toEqual([{ seller_id: seller.id }])
  expect(await linkTo(form.email)).toEqual([vin, seller.id])
})

// R-accounts-7
test('stores only the VIN when it is not listed', async () => {
  const { vin } = aCarForm()
  const form = { ...aRegistration(), vin, userId: seller.id }
  const { answer } = await registerAs(form)
  expect(await dealsOf(answer._id)).toEqual([])
  expect(await linkTo(form.email)).toEqual([vin, null])
})

test('starts no deal for a wholesaler who enters a VIN', async () => {
  const form = { ...aRegistration({}, 'WHOLESALER'), vin: await aListedCar(), userId: seller.id }
  expect(await dealsOf((await registerAs(form)).answer._id)).toEqual([])
})
