import { captionCarPhoto, describeCar, optionalDetails } from '@keyturn/contract/cars/endpoints.ts'
import { decideBuyer, deleteUser } from '@keyturn/contract/deals/endpoints.ts'
import { reportMessage, sendMessage } from '@keyturn/contract/messages/endpoints.ts'
import { photoAddress } from '@keyturn/contract/shared/photo-files.ts'
import { expect, test } from 'vitest'
import { dealPictures } from '../../server/modules/agreements/shown-photos.ts'
import { carPictures } from '../../server/modules/cars/repository.ts'
import { tradePictures } from '../../server/modules/trades/actions.ts'
import { runDueJobs } from '../../server/platform/jobs/jobs.ts'
import { pictureJobs } from '../../server/platform/storage/sweep-pictures.ts'
import { aBuyer, aSeller, aWholesaler, type TestPerson } from './people.ts'
import { addPhoto } from './pictures.ts'
import { aListing, aRequest, aSaleAt, progressOf } from './sales/deals.ts'
import { startTestServer } from './test-server.ts'
import { aTradeAt } from './trades.ts'

const house = await startTestServer()

/**
 * Tables without free text, each with what it contains. A new table is listed here, or its text is
 * covered by the test below.
 */
const wordless: Record<string, string> = {
  digests:
    'access_tokens admin_access_tokens admin_refresh_tokens known_networks log_heads ' +
    'log_leaves log_nodes pictures refresh_tokens throttles',
  'what both have signed, which stays': 'agreement_pdfs deal_photos packages signatures',
  'what happened, to which id': 'account_events',
  "the administrator's": 'admin_sessions',
  'where files lie': 'backups',
  'who consented to which text, which stays with what they signed under it': 'consents',
  numbers: 'deal_counts',
  ids: 'deal_trades jobs messages_seen notification_marks notification_reads',
  'ZIP codes of dealers': 'dealer_areas',
  'which car the dealer has, as both have signed it, which stays': 'desk_deals',
  'of businesses, which the administrator has entered': 'dealers',
  'ids and digests': 'deliveries partner_calls',
  'what a receiver answered': 'delivery_tries',
  'ids and sums': 'evidence_tallies',
  'kept answers, which server/modules/accounts/people/erase-traces.test.ts takes away': 'idempotency_keys',
  keys: 'log_keys seal_certificates',
  'addresses, which server/modules/accounts/people/erase-traces.test.ts takes away': 'mail_bounces sessions',
  'names of files': 'migrations',
  'why nothing leaves': 'outgoing_stops',
  'of browsers, which server/modules/notifications/push/push.test.ts takes away': 'push_devices',
  'what waits to be told, which server/modules/notifications/push/push.test.ts takes away': 'pushes',
  'keys, encrypted': 'server_keys',
  'kinds of mails': 'switched_off',
  'facts and ids': 'trade_events',
  'what the decoder says of a VIN': 'vin_answers',
}

const wordlessTables = Object.values(wordless).flatMap((names) => names.split(' '))

/** Data that is retained, and why. */
const stays = {
  deal_events: 'what the seller answered to a request; the chain is never rewritten',
  deals: 'the same answer, which its buyer reads',
  mails: 'the farewell, for a day',
}

// R-accounts-37, R-cars-30
test('deletes all typed text when people delete their accounts, except what they sent to others', async () => {
  const names = { firstName: 'Quintessa', lastName: 'Quillfeather', phoneNumber: '313-555-0177' }
  const [seller, buyer] = [await aSeller(house, names), await aBuyer(house, names)]
  const said = { message: 'Quintessa at 313-555-0177' }
  const sale = { ...(await aListing(house, said, seller)), buyer }
  const photo = (await addPhoto(seller, sale.car)).answer.photo
  const params = { carId: sale.car._id, photoId: photo.id }
  await seller.ask(captionCarPhoto, { params, body: { caption: 'Quintessa at the wheel' } })
  const words = Object.entries(optionalDetails.parse({})).flatMap(([name, none]) =>
    none === '' ? [[name, 'Ask for Quintessa']] : [],
  )
  await seller.ask(describeCar, { params: { carId: sale.car._id }, body: Object.fromEntries(words) })
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
  expect([...before, ...wordlessTables].sort()).toEqual(await allTables())
  await leave(seller, 'SELLER')
  await leave(buyer, 'BUYER')
  // What a picture shows cannot be checked.
  await runDueJobs(house.deps, pictureJobs(house.deps, [carPictures, tradePictures, dealPictures]))
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
