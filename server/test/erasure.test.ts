import { captionCarPhoto, decideBuyer, deleteUser, describeCar } from '@keyturn/contract/deals/calls.ts'
import { reportMessage, sendMessage } from '@keyturn/contract/deals/messages/calls.ts'
import { photoAddress } from '@keyturn/contract/kit/photo-files.ts'
import { expect, test } from 'vitest'
import { carPictures } from '../cars/actions.ts'
import { dealPictures } from '../deals/actions.ts'
import { doDueJobs } from '../jobs/jobs.ts'
import { pictureJobs } from '../media/sweeping.ts'
import { tradePictures } from '../trades/actions.ts'
import { aListing, aRequest, aSaleAt, progressOf } from './deals.ts'
import { openHouse } from './house.ts'
import { aBuyer, aSeller, aWholesaler, type TestPerson } from './people.ts'
import { addPhoto } from './pictures.ts'
import { aTradeAt } from './trades.ts'

const house = await openHouse()

/** Tables in which nobody's words stand, with what they hold. A new one belongs here, or its words into the test below. */
const wordless = {
  access_tokens: 'digests',
  agreement_pdfs: 'what both have signed, which stays',
  account_events: 'what happened, to which id',
  admin_access_tokens: 'digests',
  admin_refresh_tokens: 'digests',
  admin_sessions: "the administrator's",
  backups: 'where files lie',
  consents: 'who consented to which text, which stays with what they signed under it',
  deal_counts: 'numbers',
  deal_trades: 'ids',
  dealer_areas: 'ZIP codes of dealers',
  desk_deals: 'which car the dealer has, as both have signed it, which stays',
  dealers: 'of businesses, which the administrator has entered',
  deliveries: 'ids and digests',
  delivery_tries: 'what a receiver answered',
  evidence_tallies: 'ids and sums',
  idempotency_keys: 'kept answers, which server/accounts/people/erasing.test.ts takes away',
  jobs: 'ids',
  known_networks: 'digests',
  log_heads: 'digests',
  log_keys: 'keys',
  log_leaves: 'digests',
  log_nodes: 'digests',
  mail_bounces: 'addresses, which server/accounts/people/erasing.test.ts takes away',
  messages_seen: 'ids',
  migrations: 'names of files',
  notification_marks: 'ids',
  notification_reads: 'ids',
  pictures: 'digests',
  deal_photos: 'what both have signed, which stays',
  partner_calls: 'ids and digests',
  outgoing_stops: 'why nothing leaves',
  packages: 'what both have signed, which stays',
  push_devices: 'of browsers, which server/notifications/push/push.test.ts takes away',
  pushes: 'what waits to be told, which server/notifications/push/push.test.ts takes away',
  refresh_tokens: 'digests',
  seal_certificates: 'keys',
  server_keys: 'keys, encrypted',
  sessions: 'addresses, which server/accounts/people/erasing.test.ts takes away',
  switched_off: 'kinds of mails',
  signatures: 'what both have signed, which stays',
  throttles: 'digests',
  trade_events: 'facts and ids',
  vin_answers: 'what the decoder says of a VIN',
}

/** What stays, and why. */
const stays = {
  deal_events: 'what the seller answered to a request; the chain is never rewritten',
  deals: 'the same answer, which its buyer reads',
  mails: 'the farewell, for a day',
}

// R-accounts-37, R-cars-30
test('once people have left, nothing that they typed is in any table, except what was said to others', async () => {
  const names = { firstName: 'Quintessa', lastName: 'Quillfeather', phoneNumber: '313-555-0177' }
  const [seller, buyer] = [await aSeller(house, names), await aBuyer(house, names)]
  const said = { message: 'Quintessa at 313-555-0177' }
  const sale = { ...(await aListing(house, said, seller)), buyer }
  const photo = (await addPhoto(seller, sale.car)).answer.photo
  const params = { carId: sale.car._id, photoId: photo.id }
  await seller.ask(captionCarPhoto, { params, body: { caption: 'Quintessa at the wheel' } })
  const words = { description: 'Ask for Quintessa', condition: 'Quintessa drove it gently' }
  await seller.ask(describeCar, { params: { carId: sale.car._id }, body: words })
  const trade = await aTradeAt('ACCEPTED', { owner: buyer, wholesaler: await aWholesaler(house) }, said)
  await aRequest(sale, buyer, 9000, [trade.vin])
  const ofDeal = { dealId: (await progressOf(sale))._id }
  const { _id: messageId } = await buyer.ask(sendMessage, { params: ofDeal, body: { text: said.message } })
  await seller.ask(reportMessage, { params: { ...ofDeal, messageId }, body: { reason: said.message } })
  await seller.ask(decideBuyer, {
    body: { ...sale.at, buyerId: buyer.id, status: 'REJECTED', ...said },
  })
  await aSaleAt(house, 'requested', said, { seller })
  const before = await tablesThatTell()
  expect([...before, ...Object.keys(wordless)].sort()).toEqual(await allTables())
  await leave(seller, 'SELLER')
  await leave(buyer, 'BUYER')
  // The picture shows whatever it shows.
  await doDueJobs(house.deps, pictureJobs(house.deps, [carPictures, tradePictures, dealPictures]))
  const { statusCode } = await house.app.inject({ url: photoAddress(photo, photo.width, 'jpg') })
  expect([statusCode, await house.query('select id from pictures')]).toEqual([404, []])
  expect(await tablesThatTell()).toEqual(Object.keys(stays))

  async function tablesThatTell(): Promise<string[]> {
    const traces = [...Object.values(names), seller.email, buyer.email].join('|')
    const found: string[] = []
    for (const table of await allTables()) {
      const rows = await house.query(`select 1 from ${table} one where one::text ~* $1 limit 1`, [traces])
      if (rows.length > 0) found.push(table)
    }
    return found
  }
})

const leave = (person: TestPerson, userType: 'BUYER' | 'SELLER') =>
  person.ask(deleteUser, { params: { userType, id: person.id } })

const allTables = async () =>
  (
    await house.query<{ name: string }>(
      `select relname as name from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by relname`,
    )
  ).map(({ name }) => name)
