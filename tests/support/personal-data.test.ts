import { editUser } from '@keyturn/contract/accounts/endpoints.ts'
import { exportData, readPrivacy } from '@keyturn/contract/accounts/privacy/endpoints.ts'
import type { DataFormat } from '@keyturn/contract/accounts/privacy/rules.ts'
import { claimCar } from '@keyturn/contract/cars/claims.ts'
import { describeCar, optionalDetails } from '@keyturn/contract/cars/endpoints.ts'
import { reportMessage, sendMessage } from '@keyturn/contract/messages/endpoints.ts'
import { listTrades } from '@keyturn/contract/trades/endpoints.ts'
import { expect, test } from 'vitest'
import { personalData } from '../../server/personal-data.ts'
import { aBuyer, aSeller, aWholesaler, type TestPerson } from './people.ts'
import { addPhoto } from './pictures.ts'
import { aCarForm, aListing, aSaleAt, readProgressOf } from './sales/deals.ts'
import { startTestServer } from './test-server.ts'
import { aTradeAt, statusAndCode } from './trades.ts'

const server = await startTestServer()

/** Tables that no download contains, by the reason. The test below requires all others in one. */
const reasons: Record<string, string> = {
  'administrators, whose looks are listed with those of others':
    'admin_access_tokens admin_events admin_refresh_tokens admin_sessions administrator_code_steps ' +
    'administrator_recovery_codes administrators',
  'challenges of five minutes': 'passkey_challenges',
  'digests of files': 'documents',
  'digests of links to agreements, which are in the emails about them': 'agreement_links',
  'about the whole service':
    'backups deal_counts evidence_tallies jobs migrations outgoing_stops server_keys',
  'photos of signed agreements, which are listed with the cars': 'deal_photos',
  'businesses and their systems':
    'dealer_areas dealers deliveries delivery_tries desk_deals partner_calls seal_certificates',
  'responses to the last requests, which are among the rows that they changed': 'idempotency_keys',
  'digests that prove the log': 'log_cosignatures log_heads log_keys log_leaves log_nodes',
  'how far a conversation was read': 'messages_seen',
  'how a signature was authenticated, which its certificate says': 'passkey_signatures',
  'files without owners; each photo is listed with its car or trade': 'pictures',
  'counters by digests': 'throttles',
  'results of the VIN decoder': 'vin_answers',
}

// R-accounts-50
test('has every table in the download, or a reason why not', async () => {
  const exported = new Set(personalData.sections.flatMap(({ tables }) => tables))
  const left = Object.values(reasons).flatMap((names) => names.split(' '))
  expect(left.filter((name) => exported.has(name))).toEqual([])
  const rows = await server.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace
     and relkind in ('r', 'p') and not relispartition order by relname`,
  )
  expect([...exported, ...left].sort()).toEqual(rows.map(({ name }) => name))
  // No table with a column that refers to a person is left out silently.
  const withPeople = await server.query<{ name: string }>(
    `select distinct table_name as name from information_schema.columns where table_schema = 'public'
     and (column_name ~ '^(user|person|seller|buyer|owner|signer|sender|reporter|claimant|recipient|viewer)_id$')`,
  )
  expect(withPeople.map(({ name }) => name).filter((name) => !exported.has(name))).toEqual([
    'admin_events',
    'messages_seen',
  ])
})

const download = (person: TestPerson, format: DataFormat, body: object = {}) =>
  person.send(exportData, { body: { format, ...body } })

// R-accounts-50
test('exports what a person wrote and did, and of others only what they see on screen', async () => {
  const [seller, buyer] = [
    await aSeller(server, { lastName: 'Sandringham', phoneNumber: '313-555-0188' }),
    await aBuyer(server, { lastName: 'Byrdsong', phoneNumber: '313-555-0199' }),
  ]
  const wholesaler = await aWholesaler(server, { lastName: 'Wheelwright' })
  const details = { ...optionalDetails.parse({}), description: 'One owner <script>alert(1)</script>' }
  const sale = await aSaleAt(server, 'passed', { message: 'Call me' }, { seller, buyer })
  const other = await aListing(server, {}, seller)
  await seller.ask(describeCar, { params: { carId: other.car._id }, body: details })
  await addPhoto(seller, other.car)
  await aTradeAt('ACCEPTED', { owner: buyer, wholesaler }, { message: 'Small dent' })
  await wholesaler.ask(listTrades, { query: { status: 'ALL' } })
  const ofDeal = { dealId: (await readProgressOf(sale))._id }
  await seller.ask(sendMessage, { params: ofDeal, body: { text: 'The keys are ready' } })
  const { _id: messageId } = await buyer.ask(sendMessage, { params: ofDeal, body: { text: 'On my way' } })
  await seller.ask(reportMessage, { params: { ...ofDeal, messageId }, body: { reason: 'Strange words' } })
  const { car: listed } = await aListing(server)
  const { price, ...facts } = aCarForm({ vin: listed.vin })
  await buyer.ask(claimCar, { body: { ...facts, reason: 'This one is mine' } })

  const file = await download(seller, 'json')
  expect(file.status).toBe(200)
  expect(file.headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': 'attachment; filename="keyturn-my-data.json"',
    'cache-control': 'no-store',
  })
  const data = JSON.parse(file.body)
  expect(data).toMatchObject({
    about: { person: seller.id },
    profile: [{ firstName: 'Robin', lastName: 'Sandringham', email: seller.email, accountType: 'seller' }],
    accountEvents: [
      { event: 'Account created' },
      { event: 'Email address verified' },
      { event: 'Data downloaded', by: 'You' },
    ],
    sessions: [{ endedAt: null }],
    deals: [{ you: 'Seller', otherSide: 'Robin Byrdsong', price: 9000, status: 'accepted' }],
    messages: [
      { from: 'You', text: 'The keys are ready' },
      { from: 'Robin Byrdsong', text: 'On my way' },
    ],
    reportedMessages: [{ message: 'On my way', reason: 'Strange words' }],
    signatures: [{ signedAs: 'Seller' }],
    consents: [{ what: 'Consent given' }],
    contactDataSeenBy: [
      { who: expect.stringContaining('the dealer') },
      { who: expect.stringContaining('Byrdsong') },
    ],
  })
  expect(data.about.retention).toEqual((await seller.ask(readPrivacy)).retention)
  expect(data.cars.find((car: { description: string }) => car.description !== '').photos).toHaveLength(1)
  expect(data.deals[0].timeline.map(({ event }: { event: string }) => event)).toContain('Signed as buyer')
  expect(data.emails.length).toBeGreaterThan(1)
  // Contact data of the other side is on screen while the deal needs it, and leaves with no file;
  // emails and notifications are what this person received.
  const { emails, notifications, ...rest } = data
  for (const trace of [buyer.email, buyer.phoneNumber]) expect(JSON.stringify(rest)).not.toContain(trace)
  const secrets = await server.query<{ secret: string }>(
    `select password_hash as secret from users where id = $1
     union all select encode(hash, 'hex') from refresh_tokens union all select encode(hash, 'hex') from email_codes`,
    [seller.id],
  )
  for (const { secret } of secrets) expect(file.body).not.toContain(secret)
  expect(file.body).not.toMatch(/\/(verify|reset|login\/link)\?code=|\/agreements\//)

  const mine = JSON.parse((await download(buyer, 'json')).body)
  expect(mine).toMatchObject({
    trades: [{ message: 'Small dent', history: [{ by: 'You' }, { by: 'Robin Wheelwright' }, { by: 'You' }] }],
    reportedListings: [{ reason: 'This one is mine' }],
    reportedMessages: [],
  })
  expect(mine.contactDataSeenBy).toContainEqual(
    expect.objectContaining({ who: expect.stringContaining('Robin Wheelwright, a wholesaler') }),
  )
  const his = JSON.parse((await download(wholesaler, 'json')).body)
  expect(his.contactDataYouSaw).toMatchObject([{ car: '2013 Ford F-150' }])
  for (const trace of ['Byrdsong', buyer.email, buyer.phoneNumber])
    expect(JSON.stringify({ ...his, emails: [] })).not.toContain(trace)

  const { body: page } = await download(seller, 'html')
  expect(page).toContain('Robin Sandringham')
  expect(page).toContain('One owner &lt;script&gt;alert(1)&lt;/script&gt;')
  expect(page).not.toContain('<script')
  for (const { what } of data.about.retention) expect(page).toContain(what)
})

// R-accounts-13, R-accounts-50
test('does not tell whether a new address already has an account', async () => {
  const taken = await aBuyer(server)
  const read = async (email: string) => {
    const person = await aSeller(server)
    await person.ask(editUser, { body: { email } })
    const { emails, emailedLinks, accountEvents } = JSON.parse((await download(person, 'json')).body)
    const subjects = emails.map(({ subject }: { subject: string }) => subject)
    return [subjects.sort(), emailedLinks.length, accountEvents.length]
  }
  expect(await read(taken.email)).toEqual(await read(`free-${taken.email}`))
})

// R-accounts-50
test('requires the password for a download from 15 minutes after sign-in, and records it', async () => {
  const person = await aSeller(server)
  await server.query(
    `update sessions set signed_in_at = keyturn_now() - interval '16 minutes' where user_id = $1`,
    [person.id],
  )
  const events = () =>
    server.query(`select 1 from account_events where user_id = $1 and event = 'exported'`, [person.id])
  for (const body of [{}, { currentPassword: 'not this one' }])
    expect(await statusAndCode(download(person, 'html', body))).toEqual([403, 'ReauthenticationRequired'])
  expect(await events()).toEqual([])
  expect((await download(person, 'html', { currentPassword: person.password })).status).toBe(200)
  expect(await events()).toHaveLength(1)
})

// R-accounts-51
test('shows the ages that the retention job is configured with', async () => {
  const person = await aSeller(server)
  const { retention } = server.deps.config
  const shown = JSON.stringify((await person.ask(readPrivacy)).retention)
  for (const kind of [
    'emails',
    'failedEmailTexts',
    'signIns',
    'emailCodes',
    'responses',
    'notifications',
  ] as const)
    expect(shown, kind).toContain(`${retention[kind]} days`)
})

test('reads a large account page by page', async () => {
  const person = await aSeller(server)
  await server.query(
    `insert into mails (id, user_id, recipient, subject, html, text, sent_at)
     select lpad(to_hex(n), 24, '0'), $1, $2, 'Email ' || n, '', '', keyturn_now() from generate_series(1, 1001) n`,
    [person.id, person.email],
  )
  const { emails } = JSON.parse((await download(person, 'json')).body)
  const subjects = new Set(emails.map(({ subject }: { subject: string }) => subject))
  for (let n = 1; n <= 1001; n++) expect(subjects).toContain(`Email ${n}`)
  expect(emails).toHaveLength(subjects.size)
})
