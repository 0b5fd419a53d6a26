import { claimCar, keepClaimedListing, listClaims } from '@keyturn/contract/cars/claims.ts'
import { addCar } from '@keyturn/contract/cars/endpoints.ts'
import { removeListing } from '@keyturn/contract/deals/endpoints.ts'
import { expect, test } from 'vitest'
import { anAdministrator, aSeller, readEmailsTo, type TestPerson } from '../../../tests/support/people.ts'
import * as moves from '../../../tests/support/sales/deal-moves.ts'
import { aCarForm, aListing, aSaleAt } from '../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { statusAndCode } from '../../../tests/support/trades.ts'

// Reports of people whose car a stranger has listed.

const server = await startTestServer()
const administrator = await anAdministrator(server)

function claimOf(vin: string, reason = 'The title is in my name.') {
  const { price, ...facts } = aCarForm({ vin, color: 'Blue', mileage: 92_000 })
  return { ...facts, reason }
}
const claim = (person: TestPerson, vin: string, reason?: string) =>
  person.send(claimCar, { body: claimOf(vin, reason) })
const openClaims = async () => (await administrator.ask(listClaims)).filter(({ handledAt }) => !handledAt)
const subjectsTo = async ({ email }: TestPerson) =>
  (await readEmailsTo(server, email)).map(({ subject }) => subject)

// R-cars-36
test('shows the administrator both cars and both people, and the claimant nothing of the listing', async () => {
  const { seller, car } = await aListing(server, { color: 'Silver' })
  const owner = await aSeller(server, { firstName: 'Olive', lastName: 'Owner' })
  const sent = await claim(owner, car.vin)
  expect([sent.status, sent.answer]).toEqual([200, { ok: true }])
  expect(await openClaims()).toMatchObject([
    {
      reason: 'The title is in my name.',
      claimant: { name: 'Olive Owner', email: owner.email, phoneNumber: owner.phoneNumber },
      claimed: { vin: car.vin, color: 'Blue', mileage: 92_000 },
      seller: { name: 'Selma Sanders', email: seller.email },
      listed: { _id: car._id, vin: car.vin, color: 'Silver', mileage: 91_000, state: 'live' },
    },
  ])
  // A repeated report replaces the first.
  await claim(owner, car.vin, 'Here is more.')
  expect(await openClaims()).toMatchObject([{ reason: 'Here is more.' }])
})

// R-cars-36
test('returns the same 404 for an unlisted VIN and the person’s own listing', async () => {
  const { seller, car } = await aListing(server)
  for (const vin of [car.vin, aCarForm().vin])
    expect(await statusAndCode(claim(seller, vin))).toEqual([404, 'NotFound'])
  const stored = server.query(`insert into car_claims (id, car_id, claimant_id) values ($1, $2, $3)`, [
    'a'.repeat(24),
    car._id,
    seller.id,
  ])
  await expect(stored).rejects.toThrow('nobody claims a car from themselves')
})

// R-cars-36
test.each([
  [
    'the administrator',
    (sale: Awaited<ReturnType<typeof aListing>>) =>
      administrator.ask(removeListing, { params: { carId: sale.car._id }, body: { reason: 'Not theirs' } }),
  ],
  ['the seller', (sale: Awaited<ReturnType<typeof aListing>>) => moves.removeListing(sale)],
] as const)(
  'tells the claimant that they can list the car when %s has removed the listing',
  async (_, remove) => {
    const listing = await aListing(server)
    const owner = await aSeller(server)
    await claim(owner, listing.car.vin)
    await remove(listing)
    expect(await subjectsTo(owner)).toContain('You can list your 2003 Honda Accord EX now')
    expect((await administrator.ask(listClaims))[0]).toMatchObject({
      outcome: 'REMOVED',
      listed: { state: 'removed' },
    })
    expect((await owner.send(addCar, { body: aCarForm({ vin: listing.car.vin }) })).status).toBe(201)
  },
)

// R-cars-36
test('tells the claimant once that the listing stays, also one with a confirmed buyer', async () => {
  const { car } = await aSaleAt(server, 'confirmed')
  const owner = await aSeller(server)
  await claim(owner, car.vin)
  const [open] = await openClaims().then((all) => all.filter(({ listed }) => listed._id === car._id))
  expect(open?.listed.state).toBe('reserved')
  const keep = () => administrator.send(keepClaimedListing, { params: { claimId: open?._id ?? '' } })
  expect((await Promise.all([keep(), keep()])).map(({ status }) => status)).toEqual([200, 200])
  const told = (await subjectsTo(owner)).filter((subject) => subject.startsWith('About your report'))
  expect(told).toEqual(['About your report on the 2003 Honda Accord EX'])
  // Another report does not replace what has been decided.
  await claim(owner, car.vin, 'Here is the title.')
  const claims = await administrator.ask(listClaims)
  expect(claims.filter(({ listed }) => listed._id === car._id)).toMatchObject([
    { reason: 'Here is the title.', outcome: null },
    { reason: 'The title is in my name.', outcome: 'KEPT' },
  ])
})
