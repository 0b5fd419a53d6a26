import { login } from '@keyturn/contract/accounts/endpoints.ts'
import { renamePasskey } from '@keyturn/contract/accounts/passkeys.ts'
import { suspendPerson } from '@keyturn/contract/accounts/suspensions.ts'
import { createToken } from '@keyturn/contract/accounts/tokens.ts'
import { claimCar } from '@keyturn/contract/cars/claims.ts'
import { captionCarPhoto, describeCar, optionalDetails } from '@keyturn/contract/cars/endpoints.ts'
import { decideRequest, deleteUser } from '@keyturn/contract/deals/endpoints.ts'
import { reportMessage, sendMessage } from '@keyturn/contract/messages/endpoints.ts'
import { photoAddress } from '@keyturn/contract/shared/photo-files.ts'
import { expect, test } from 'vitest'
import { dealPictureUse } from '../../server/modules/agreements/signed-photos.ts'
import { carPictureUse } from '../../server/modules/cars/repository.ts'
import { tradePictureUse } from '../../server/modules/trades/repository.ts'
import { runDueJobs } from '../../server/platform/jobs/jobs.ts'
import { pictureTasks } from '../../server/platform/storage/sweep-pictures.ts'
import { createAuthenticator } from './http/authenticator.ts'
import { aBuyer, anAdministrator, aSeller, aWholesaler, type TestPerson } from './people.ts'
import { addPhoto } from './pictures.ts'
import { aCarForm, aListing, aRequest, aSaleAt, readProgressOf } from './sales/deals.ts'
import { lift } from './sales/suspensions.ts'
import { startTestServer } from './test-server.ts'
import { aTradeAt } from './trades.ts'

const server = await startTestServer()

/** Tables without text of people, by what they contain. The test below covers all other tables. */
const tablesWithoutText: Record<string, string> = {
  digests:
    'access_tokens admin_access_tokens admin_refresh_tokens agreement_links documents known_networks log_heads ' +
    'log_leaves log_nodes pictures refresh_tokens throttles',
  'signed agreements, which are retained': 'agreement_pdfs deal_photos packages signatures',
  'events and ids': 'account_events admin_events signer_acts trade_events',
  'ids and times (contact-looks.test.ts)': 'contact_looks',
  'administrators, entered by operators':
    'administrators administrator_code_steps administrator_recovery_codes',
  'sessions of the administrator': 'admin_sessions',
  'paths of files': 'backups',
  'digests and ids of sessions': 'passkey_challenges passkey_signatures',
  'consents, which are retained with signatures': 'consents',
  numbers: 'deal_counts',
  ids: 'deal_trades jobs messages_seen notification_marks notification_reads',
  'ZIP codes of dealers': 'dealer_areas',
  'cars of signed agreements, which are retained': 'desk_deals',
  'businesses, entered by the administrator': 'dealers',
  'ids and digests': 'deliveries partner_calls',
  'responses of webhooks': 'delivery_tries',
  'ids and sums': 'evidence_tallies',
  'stored responses (erase-personal-data.test.ts)': 'idempotency_keys',
  keys: 'log_cosignatures log_keys seal_certificates',
  'addresses (erase-personal-data.test.ts)': 'mail_bounces sessions',
  'names of files': 'migrations',
  'reasons for stopped output': 'outgoing_stops',
  'browsers (push.test.ts)': 'push_devices',
  'pending pushes (push.test.ts)': 'pushes',
  'keys, encrypted': 'server_keys',
  'kinds of emails': 'switched_off',
  'results of the VIN decoder': 'vin_answers',
}

const knownTables = Object.values(tablesWithoutText).flatMap((names) => names.split(' '))

/** Tables whose text is retained, and why. */
const retained = {
  deal_events: 'the seller’s note to a denial, because the chain of events is never rewritten',
  deals: 'the same note, which the buyer reads',
  mails: 'the email about the deletion, for a day',
}

// R-accounts-37, R-cars-30
test('deletes everything that people wrote when they delete their accounts, except what they sent to others', async () => {
  const names = { firstName: 'Quintessa', lastName: 'Quillfeather', phoneNumber: '313-555-0177' }
  const [seller, buyer] = [await aSeller(server, names), await aBuyer(server, names)]
  const message = { message: 'Quintessa at 313-555-0177' }
  const loan = { payoff: true, payoffAmount: 5000, lender: 'Quillfeather Credit Union' }
  const sale = { ...(await aListing(server, { ...message, ...loan }, seller)), buyer }
  const photo = (await addPhoto(seller, sale.car)).answer.photo
  const params = { carId: sale.car._id, photoId: photo.id }
  await seller.ask(captionCarPhoto, { params, body: { caption: 'Quintessa at the wheel' } })
  const words = Object.entries(optionalDetails.parse({})).flatMap(([name, none]) =>
    none === '' ? [[name, 'Ask for Quintessa']] : [],
  )
  await seller.ask(describeCar, { params: { carId: sale.car._id }, body: Object.fromEntries(words) })
  const trade = await aTradeAt(
    'ACCEPTED',
    { owner: buyer, wholesaler: await aWholesaler(server) },
    { ...message, ...loan },
  )
  await aRequest(sale, buyer, 9000, [trade.vin])
  const ofDeal = { dealId: (await readProgressOf(sale))._id }
  const { _id: messageId } = await buyer.ask(sendMessage, { params: ofDeal, body: { text: message.message } })
  await seller.ask(reportMessage, { params: { ...ofDeal, messageId }, body: { reason: message.message } })
  await seller.ask(decideRequest, {
    body: { ...sale.at, buyerId: buyer.id, status: 'REJECTED', ...message },
  })
  await aSaleAt(server, 'requested', message, { seller })
  await seller.ask(createToken, { body: { name: 'Quintessa’s script', scopes: ['cars:read'] } })
  const { car: listed } = await aListing(server)
  const { price, ...facts } = aCarForm({ vin: listed.vin, color: 'Quintessa' })
  await seller.ask(claimCar, { body: { ...facts, reason: message.message } })
  const credential = createAuthenticator()
  const { _id: passkeyId } = (await credential.addTo(seller, { origin: server.deps.config.publicUrl.origin }))
    .answer
  await seller.ask(renamePasskey, { params: { passkeyId }, body: { name: 'Phone of Quintessa' } })
  const administrator = await anAdministrator(server)
  await administrator.ask(suspendPerson, {
    params: { userId: seller.id },
    body: { reason: 'OTHER', note: message.message },
  })
  await lift(administrator, seller)
  await seller.ask(login, { body: { email: seller.email, password: seller.password } })
  const before = await tablesWithTraces()
  expect([...before, ...knownTables].sort()).toEqual(await allTables())
  await deleteAccount(seller, 'SELLER')
  await deleteAccount(buyer, 'BUYER')
  // Pictures may show anything, so they are deleted too.
  await runDueJobs(server.deps, pictureTasks(server.deps, [carPictureUse, tradePictureUse, dealPictureUse]))
  const { statusCode } = await server.app.inject({ url: photoAddress(photo, photo.width, 'jpg') })
  expect([statusCode, await server.query('select id from pictures')]).toEqual([404, []])
  expect(await tablesWithTraces()).toEqual(Object.keys(retained))
  expect(await server.query('select payoff_cents from cars union select payoff_cents from trades')).toEqual([
    { payoff_cents: null },
  ])

  async function tablesWithTraces(): Promise<string[]> {
    const traces = [...Object.values(names), seller.email, buyer.email].join('|')
    const found: string[] = []
    for (const table of await allTables()) {
      const rows = await server.query(`select 1 from ${table} one where one::text ~* $1 limit 1`, [traces])
      if (rows.length > 0) found.push(table)
    }
    return found
  }
})

const deleteAccount = (person: TestPerson, userType: 'BUYER' | 'SELLER') =>
  person.ask(deleteUser, { params: { userType, id: person.id } })

const allTables = async () =>
  (
    await server.query<{ name: string }>(
      `select relname as name from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by relname`,
    )
  ).map(({ name }) => name)
