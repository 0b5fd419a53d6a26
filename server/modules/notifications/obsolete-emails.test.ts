import { expect, test } from 'vitest'
import { createEmailSender } from '../../../tests/support/jobs/mail-server.ts'
import { aBuyer, aWholesaler, type TestPerson } from '../../../tests/support/people.ts'
import { aRequest, aSaleAt, confirmBuyer, offerPrice, type Sale } from '../../../tests/support/sales/deals.ts'
import { startSmtpReceiver } from '../../../tests/support/smtp-receiver.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { aTrade, sendTradeMove } from '../../../tests/support/trades.ts'
import { findResolvedEmails } from './sent-notifications.ts'

const server = await startTestServer({ SMTP_URL: 'smtp://127.0.0.1:1' })

/** Sends the emails after the hold of two minutes, and returns the subjects by person. */
async function whatLeaves() {
  const receiver = await startSmtpReceiver()
  await server.moveClock('3 minutes')
  await createEmailSender(server, receiver.url, { findObsolete: findResolvedEmails })()
  await server.moveClock('0')
  return ({ email }: TestPerson) =>
    receiver.received.filter(({ to }) => to === email).map(({ subject }) => subject)
}

/** A request whose email to the seller has not been sent yet. */
async function aFreshRequest(): Promise<Sale> {
  const sale = await aSaleAt(server, 'started')
  await forgetMails()
  await aRequest(sale, sale.buyer, 9000)
  return sale
}

/** Deletes the emails of the registrations. */
async function forgetMails() {
  await server.query('delete from jobs')
  await server.query('delete from mails')
}

const unsent = () => server.query('select 1 from mails where sent_at is null and joined_into is null')

// R-notifications-24
test('sends no email about a request that the seller confirmed before the email was sent', async () => {
  const sale = await aFreshRequest()
  await confirmBuyer(sale)
  const subjectsTo = await whatLeaves()
  expect(subjectsTo(sale.seller)).toEqual([])
  expect(subjectsTo(sale.buyer)).toEqual([expect.stringContaining('confirmed you as the buyer')])
  expect(await unsent()).toEqual([])
})

// R-notifications-24
test('sends only the newest of several changes to a request', async () => {
  const sale = await aFreshRequest()
  await offerPrice(sale, 9100)
  await offerPrice(sale, 9200)
  const subjectsTo = await whatLeaves()
  expect(subjectsTo(sale.seller)).toEqual([expect.stringMatching(/now offers \$9,200 for your [^,]+$/)])
  expect(await unsent()).toEqual([])
})

// R-notifications-24
test('emails other wholesalers only about trades that still wait for an offer', async () => {
  const [owner, bidder, other] = [await aBuyer(server), await aWholesaler(server), await aWholesaler(server)]
  await forgetMails()
  const taken = await aTrade(owner, { make: 'Honda' })
  await aTrade(owner, { make: 'Toyota' })
  await sendTradeMove(bidder, taken, { status: 'OFFERED', price: 20_000 })
  const subjectsTo = await whatLeaves()
  expect(subjectsTo(other)).toEqual([expect.stringContaining('Toyota')])
  expect(subjectsTo(owner)).toEqual([expect.stringContaining('You have an offer')])
})
