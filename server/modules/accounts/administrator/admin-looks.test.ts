import {
  listEmailAttachments,
  listQueuedEmails,
  resendEmail,
} from '@keyturn/contract/accounts/email-endpoints.ts'
import { listEmails, listWholesalers } from '@keyturn/contract/accounts/endpoints.ts'
import { exportData, readPrivacy } from '@keyturn/contract/accounts/privacy/endpoints.ts'
import { privacyTexts } from '@keyturn/contract/accounts/privacy/privacy-texts.ts'
import { findPeople } from '@keyturn/contract/accounts/suspensions.ts'
import { claimCar, listClaims } from '@keyturn/contract/cars/claims.ts'
import { getSeller, readTimeline, removeListing } from '@keyturn/contract/deals/endpoints.ts'
import { listReports, reportMessage, sendMessage } from '@keyturn/contract/messages/endpoints.ts'
import { listTrades } from '@keyturn/contract/trades/endpoints.ts'
import { beforeAll, expect, test } from 'vitest'
import type { Browser } from '../../../../tests/support/browser.ts'
import {
  aBuyer,
  aNamedAdministrator,
  anAdministrator,
  aSeller,
  aWholesaler,
  type TestPerson,
} from '../../../../tests/support/people.ts'
import {
  aCarForm,
  aListing,
  aSaleAt,
  readProgressOf,
  type Sale,
} from '../../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'
import { aTrade } from '../../../../tests/support/trades.ts'

const server = await startTestServer()
let sale: Sale
let owner: TestPerson
let wholesaler: TestPerson
let claimant: TestPerson
let mailId: string

beforeAll(async () => {
  sale = await aSaleAt(server, 'requested')
  owner = await aBuyer(server)
  await aTrade(owner)
  wholesaler = await aWholesaler(server)
  claimant = await aSeller(server)
  const { price, ...facts } = aCarForm({ vin: sale.car.vin })
  await claimant.ask(claimCar, { body: { ...facts, reason: 'It is mine.' } })
  const dealId = (await readProgressOf(sale))._id
  const { _id } = await sale.buyer.ask(sendMessage, { params: { dealId }, body: { text: 'Call me' } })
  await sale.seller.ask(reportMessage, { params: { dealId, messageId: _id }, body: { reason: 'Rude' } })
  const [mail] = await server.query<{ id: string }>(
    `update mails set sent_at = null, dead_at = keyturn_now(), failed_because = 'Full'
     where user_id = $1 returning id`,
    [claimant.id],
  )
  mailId = mail?.id ?? ''
})

const lists: [act: string, look: (by: Browser) => Promise<unknown>, people: () => TestPerson[]][] = [
  ['viewedTrades', (by) => by.ask(listTrades, { query: { status: 'ALL' } }), () => [owner]],
  ['viewedClaims', (by) => by.ask(listClaims), () => [claimant, sale.seller]],
  ['viewedReports', (by) => by.ask(listReports), () => [sale.buyer]],
  ['viewedPeople', (by) => by.ask(findPeople, { query: { search: owner.id } }), () => [owner]],
  ['viewedWholesalers', (by) => by.ask(listWholesalers), () => [wholesaler]],
  ['viewedDeal', (by) => by.ask(readTimeline, { params: sale.at }), () => [sale.seller, sale.buyer]],
  ['viewedEmails', (by) => by.ask(listEmails), () => [owner, claimant]],
  ['viewedEmailQueue', (by) => by.ask(listQueuedEmails), () => [claimant]],
  ['viewedEmailFile', (by) => by.ask(listEmailAttachments, { params: { mailId } }), () => [claimant]],
]

// R-accounts-56
test.each(lists)('records %s for each person whose contact data it shows, once an hour', async (...list) => {
  const [act, look, people] = list
  const operator = await aNamedAdministrator(server, 'OPERATOR')
  const named = async () => {
    const rows = await server.query<{ id: string }>(
      'select person_id as id from admin_events where administrator_id = $1 and act = $2',
      [operator.id, act],
    )
    return rows.map(({ id }) => id)
  }
  await look(operator)
  await look(operator)
  const first = await named()
  expect(first).toEqual(expect.arrayContaining(people().map(({ id }) => id)))
  expect(new Set(first).size).toBe(first.length)
  const anHourAgo = `update admin_events set at = at - interval '61 minutes' where administrator_id = '${operator.id}'`
  await server.query('alter table admin_events disable trigger user')
  await server.query(anHourAgo)
  await server.query('alter table admin_events enable trigger user')
  await look(operator)
  expect(await named()).toHaveLength(2 * first.length)
})

// R-accounts-57
test('shows the person looks and acts with the administrator’s name, and all of them in the download', async () => {
  const { seller, car } = await aListing(server)
  const operator = await aNamedAdministrator(server, 'OPERATOR')
  await operator.ask(getSeller, { params: { id: seller.id } })
  const settings = await anAdministrator(server)
  await settings.ask(removeListing, { params: { carId: car._id }, body: { reason: 'Fraud' } })
  const { looks } = await seller.ask(readPrivacy)
  expect(looks.map(privacyTexts.looks.sentence)).toEqual([
    'The operator of this site removed a listing.',
    'Morgan Vale, an administrator, viewed contact details.',
  ])
  expect(JSON.stringify(looks)).not.toContain(operator.username)
  await server.query(
    `insert into admin_events (administrator, role, act, person_id, session_id, ip)
     select 'Morgan Vale', 'SUPPORT', 'viewedAccount', $1, lpad('', 24, 'a'), '' from generate_series(1, 420)`,
    [seller.id],
  )
  expect((await seller.ask(readPrivacy)).looks).toHaveLength(200)
  const file = await seller.send(exportData, { body: { format: 'json' } })
  expect(JSON.parse(file.body).contactDataSeenBy).toHaveLength(422)
})

// R-accounts-56
test('records an email that is sent again for the person it goes to', async () => {
  const operator = await anAdministrator(server)
  await operator.ask(resendEmail, { params: { mailId } })
  const acts = await server.query(`select person_id as id from admin_events where act = 'resentEmail'`)
  expect(acts).toEqual([{ id: claimant.id }])
})
