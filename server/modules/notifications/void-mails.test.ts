import { expect, test } from 'vitest'
import { aPostOffice } from '../../../tests/support/jobs/mail-server.ts'
import { aBuyer, aWholesaler, type TestPerson } from '../../../tests/support/people.ts'
import { aRequest, aSaleAt, confirm, offer, type Sale } from '../../../tests/support/sales/deals.ts'
import { aReceiver } from '../../../tests/support/smtp-receiver.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { aTrade, move } from '../../../tests/support/trades.ts'
import { findResolved } from './actions.ts'

const house = await startTestServer({ SMTP_URL: 'smtp://127.0.0.1:1' })

/** What each person got once the two minutes are over. */
async function whatLeaves() {
  const receiver = await aReceiver()
  await house.moveClock('3 minutes')
  await aPostOffice(house, receiver.url, { findDone: findResolved })()
  await house.moveClock('0')
  return ({ email }: TestPerson) =>
    receiver.received.filter(({ to }) => to === email).map(({ subject }) => subject)
}
/** A request, of which its seller has not been written to yet. */
async function aFreshRequest(): Promise<Sale> {
  const sale = await aSaleAt(house, 'started')
  await forgetMails()
  await aRequest(sale, sale.buyer, 9000)
  return sale
}
/** Those of registering. */
async function forgetMails() {
  await house.query('delete from jobs')
  await house.query('delete from mails')
}
const unsent = () => house.query('select 1 from mails where sent_at is null and joined_into is null')

// R-notifications-24
test('what was done before its mail left is not written about: a request that the seller has confirmed', async () => {
  const sale = await aFreshRequest()
  await confirm(sale)
  const subjectsTo = await whatLeaves()
  expect(subjectsTo(sale.seller)).toEqual([])
  expect(subjectsTo(sale.buyer)).toEqual([expect.stringContaining('confirmed you as the buyer')])
  expect(await unsent()).toEqual([])
})

// R-notifications-24
test('of an offer that was changed twice its seller reads the newest alone', async () => {
  const sale = await aFreshRequest()
  await offer(sale, 9100)
  await offer(sale, 9200)
  const subjectsTo = await whatLeaves()
  expect(subjectsTo(sale.seller)).toEqual([expect.stringMatching(/now offers \$9,200 for your [^,]+$/)])
  expect(await unsent()).toEqual([])
})

// R-notifications-24
test('a trade that has its offer is told to no other wholesaler, and one that waits is', async () => {
  const [owner, bidder, other] = [await aBuyer(house), await aWholesaler(house), await aWholesaler(house)]
  await forgetMails()
  const taken = await aTrade(owner, { make: 'Honda' })
  await aTrade(owner, { make: 'Toyota' })
  await move(bidder, taken, { status: 'OFFERED', price: 20_000 })
  const subjectsTo = await whatLeaves()
  expect(subjectsTo(other)).toEqual([expect.stringContaining('Toyota')])
  expect(subjectsTo(owner)).toEqual([expect.stringContaining('You have an offer')])
})
