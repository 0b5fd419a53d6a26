import { confirmPassword } from '@keyturn/contract/accounts/administrators.ts'
import * as accounts from '@keyturn/contract/accounts/endpoints.ts'
import * as calls from '@keyturn/contract/accounts/suspensions.ts'
import * as cars from '@keyturn/contract/cars/endpoints.ts'
import { listDeliveries, replayDelivery } from '@keyturn/contract/dealers/endpoints.ts'
import * as deals from '@keyturn/contract/deals/endpoints.ts'
import { readMessages, sendMessage } from '@keyturn/contract/messages/endpoints.ts'
import { listNotifications } from '@keyturn/contract/notifications/endpoints.ts'
import { listTrades, listTradesOfUser, type Trade } from '@keyturn/contract/trades/endpoints.ts'
import { expect, test, vi } from 'vitest'
import { copyBrowser } from '../../../../tests/support/http/visitors.ts'
import {
  aBuyer,
  aNamedAdministrator,
  anAdministrator,
  aSeller,
  aWholesaler,
  readEmailedCode,
  readEmailsTo,
} from '../../../../tests/support/people.ts'
import {
  listCarsOf,
  listRequestsOn,
  tryToPropose,
  tryToWithdraw,
} from '../../../../tests/support/sales/deal-moves.ts'
import {
  aListing,
  aRequest,
  aSaleAt,
  buyerSignature,
  confirmBuyer,
  readProgressOf,
  signAsBuyer,
  signAsSeller,
  tryToUpdateProgress,
  turnDown,
} from '../../../../tests/support/sales/deals.ts'
import { lift, suspend, tryToSuspend } from '../../../../tests/support/sales/suspensions.ts'
import { connectClient } from '../../../../tests/support/second-session.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'
import { aTradeAt, sendTradeMove, statusAndCode } from '../../../../tests/support/trades.ts'

const server = await startTestServer({ SUPPORT_EMAIL: 'support@keyturn.example' })
const administrator = await anAdministrator(server)

const sentenceOf = ({ body }: { body: string }) => (JSON.parse(body) as { message: string }).message
const why =
  'Your account is suspended. We suspect that your account was used for fraud. Two people say that they paid you for the same car. If you think this is a mistake, write to support@keyturn.example.'
const paused = [409, 'DealPaused']

// R-accounts-60, R-accounts-61
test('ends every session and answers each sign-in with the reason and whom to write to', async () => {
  const seller = await aSeller(server)
  const { email, password } = seller
  await server.browser().ask(accounts.forgotPassword, { body: { email } })
  const verificationCode = await readEmailedCode(server, email, '/password/reset')
  const other = copyBrowser(server, seller)
  const state = await suspend(administrator, seller)
  expect([state.isSuspended, state.sessions]).toEqual([true, []])
  expect(await statusAndCode(seller.send(accounts.getUser))).toEqual([401, 'InvalidAccessToken'])

  const stranger = server.browser()
  const sent = [
    await other.send(accounts.refresh),
    await stranger.send(accounts.login, { body: { email, password } }),
    await stranger.send(accounts.resetPassword, {
      body: { password: 'green bottles', confirmPassword: 'green bottles', verificationCode },
    }),
  ]
  for (const one of sent) {
    expect([one.status, JSON.parse(one.body).errorCode]).toEqual([403, 'AccountSuspended'])
    expect(sentenceOf(one)).toBe(why)
  }
  // Nobody learns it without the password, or with the token of a session that ended earlier.
  const guess = stranger.send(accounts.login, { body: { email, password: 'not the password' } })
  expect(await statusAndCode(guess)).toEqual([401, 'InvalidCredentials'])

  await lift(administrator, seller)
  // The session has ended, and the password is the old one.
  expect(await statusAndCode(other.send(accounts.refresh))).toEqual([401, 'InvalidRefreshToken'])
  expect((await stranger.send(accounts.login, { body: { email, password } })).status).toBe(200)
})

// R-accounts-61
test('drops a new address that was not verified', async () => {
  const seller = await aSeller(server)
  const address = `thief-${seller.email}`
  await seller.ask(accounts.editUser, { body: { email: address } })
  const code = await readEmailedCode(server, address)
  await suspend(administrator, seller)
  const verify = (code: string) => server.browser().send(accounts.verifyEmail, { params: { code } })
  expect((await verify(code)).status).toBe(400)
  await lift(administrator, seller)
  expect((await verify(code)).status).toBe(400)
  const [row] = await server.query('select email, pending_email from users where id = $1', [seller.id])
  expect(row).toEqual({ email: seller.email, pending_email: null })
})

// R-accounts-61
test('does not tell the holder of an older token why', async () => {
  const seller = await aSeller(server)
  const old = copyBrowser(server, seller)
  await seller.ask(accounts.logout)
  await suspend(administrator, seller)
  expect(await statusAndCode(old.send(accounts.refresh))).toEqual([401, 'InvalidRefreshToken'])
})

// R-accounts-58
test('asks for the password again before a suspension, but not before one is lifted', async () => {
  const seller = await aSeller(server)
  const operator = await aNamedAdministrator(server, 'OPERATOR')
  const age = () =>
    server.query(
      `update admin_sessions set signed_in_at = keyturn_now() - interval '11 minutes' where credentials = $1`,
      [operator.id],
    )
  await age()
  expect(await statusAndCode(tryToSuspend(operator, seller))).toEqual([403, 'ReauthenticationRequired'])
  expect((await seller.send(accounts.getUser)).status).toBe(200)
  await operator.ask(confirmPassword, { body: { password: operator.password } })
  expect((await tryToSuspend(operator, seller)).status).toBe(200)
  await age()
  await lift(operator, seller)
  const { isSuspended } = await operator.ask(calls.readPersonState, { params: { userId: seller.id } })
  expect(isSuspended).toBe(false)
})

// R-accounts-62
test('emails the person why, and again when the suspension is lifted', async () => {
  const seller = await aSeller(server)
  await suspend(administrator, seller)
  const [mail] = await readEmailsTo(server, seller.email)
  expect(mail?.subject).toBe('Your account is suspended')
  expect(mail?.text).toContain('Two people say that they paid you for the same car.')
  expect(mail?.text).toContain('support@keyturn.example')
  expect(mail?.text).toContain('Agreements that both sides signed stay valid')
  await lift(administrator, seller)
  expect((await readEmailsTo(server, seller.email))[0]?.subject).toBe('Your account is active again')
})

// R-accounts-63
test('hides listings from strangers and wholesalers, and shows them again', async () => {
  const { seller, car, at } = await aListing(server)
  const [buyer, wholesaler] = [await aBuyer(server), await aWholesaler(server)]
  const isListed = async (by: typeof administrator) =>
    (await by.ask(cars.listAllCars, {})).some(({ _id }) => _id === car._id)
  await suspend(administrator, seller)
  const read = () => server.browser().send(cars.readPublicCar, { params: at })
  expect(await statusAndCode(read())).toEqual([404, 'CarNotAvailable'])
  expect(await statusAndCode(buyer.send(deals.startProgress, { body: at }))).toEqual([404, 'NotFound'])
  expect([await isListed(wholesaler), await isListed(administrator)]).toEqual([false, true])
  await lift(administrator, seller)
  expect((await read()).status).toBe(200)
  expect(await isListed(wholesaler)).toBe(true)
  expect((await buyer.send(deals.startProgress, { body: at })).status).toBe(200)
})

// R-deals-117
test('holds a request of a suspended buyer: it can only be denied', async () => {
  const sale = await aSaleAt(server, 'requested')
  const { seller, buyer, at } = sale
  await aRequest(sale, await aBuyer(server), 9200)
  const waiting = async () => (await listCarsOf(seller)).map(({ waitingOffers }) => waitingOffers)
  expect(await waiting()).toEqual([2])
  await suspend(administrator, buyer)
  expect(await waiting()).toEqual([1])
  const request = (await listRequestsOn(sale)).find((one) => one.buyer._id === buyer.id)
  expect(request?.isPaused).toBe(true)
  const confirm = { ...at, status: 'ACCEPTED', buyerId: buyer.id } as const
  expect(await statusAndCode(seller.send(deals.decideRequest, { body: confirm }))).toEqual(paused)
  expect(await statusAndCode(tryToPropose(sale, 9100))).toEqual(paused)
  const dealId = request?._id ?? ''
  const write = seller.send(sendMessage, { params: { dealId }, body: { text: 'Hello?' } })
  expect(await statusAndCode(write)).toEqual(paused)
  expect(await seller.ask(readMessages, { params: { dealId } })).toMatchObject({
    isOpen: false,
    isPaused: true,
  })
  await turnDown(sale)
  const ended = (await listRequestsOn(sale)).find((one) => one.buyer._id === buyer.id)
  expect(ended?.status).toBe('REJECTED')
})

// R-deals-117
test('pauses a confirmed deal of a suspended seller and resumes it where it was', async () => {
  const sale = await aSaleAt(server, 'confirmed')
  const { seller, buyer, at } = sale
  const before = await readProgressOf(sale)
  await suspend(administrator, seller)
  const held = await readProgressOf(sale)
  expect([held.isPaused, held.pausedContact]).toEqual([true, 'support@keyturn.example'])
  expect((await listCarsOf(buyer))[0]?.deal?.isPaused).toBe(true)
  expect(await statusAndCode(tryToUpdateProgress(buyer, at, buyerSignature()))).toEqual(paused)
  expect(await statusAndCode(tryToUpdateProgress(buyer, at, { userType: 'BUYER', step: [0, 1] }))).toEqual(
    paused,
  )
  await lift(administrator, seller)
  const { now: _, ...after } = await readProgressOf(sale)
  const { now: _now, ...unchanged } = before
  expect(after).toEqual(unchanged)
  await signAsBuyer(sale)
})

// R-deals-117
test('lets the other party leave a paused deal', async () => {
  const sale = await aSaleAt(server, 'confirmed')
  await suspend(administrator, sale.seller)
  expect((await tryToWithdraw(sale)).status).toBe(200)
})

// R-deals-117
test('notifies the other party when a deal is paused and when it resumes', async () => {
  const { seller, buyer } = await aSaleAt(server, 'confirmed')
  const subjects = async () => (await readEmailsTo(server, buyer.email)).map(({ subject }) => subject)
  await suspend(administrator, seller)
  expect((await subjects())[0]).toMatch(/^The deal for the .* is paused$/)
  const [mail] = await readEmailsTo(server, buyer.email)
  expect(mail?.text).toContain('support@keyturn.example')
  expect(mail?.text).not.toMatch(/suspend|fraud/i)
  const count = (await subjects()).length
  // The deal is paused already, so a second suspension says nothing new.
  await suspend(administrator, buyer)
  await lift(administrator, seller)
  expect((await subjects()).filter((subject) => subject.includes('deal for'))).toHaveLength(1)
  await lift(administrator, buyer)
  expect((await subjects()).length).toBeGreaterThan(count)
  const toSeller = (await readEmailsTo(server, seller.email)).map(({ subject }) => subject)
  expect(toSeller[0]).toMatch(/^The deal for the .* has resumed$/)
})

// R-deals-117
test('refreshes the pages of everybody concerned with one signal', async () => {
  const first = await aSaleAt(server, 'requested')
  const second = await aSaleAt(server, 'requested', {}, { seller: first.seller })
  const client = await connectClient(server.databaseUrl)
  const signals: string[] = []
  client.on('notification', ({ payload = '' }) => signals.push(payload))
  await client.query('listen keyturn')
  await suspend(administrator, first.seller)
  // Signals of the two sales may still arrive; none of them is for all three people.
  const ids = [first.seller, first.buyer, second.buyer].map(({ id }) => id)
  const toAll = () => signals.filter((payload) => ids.every((id) => payload.includes(id)))
  await vi.waitFor(() => expect(toAll()).toHaveLength(1))
  expect(toAll()[0]).toContain('cars')
})

// R-deals-118
test('does not lengthen the 72 hours while a deal is paused', async () => {
  const sale = await aSaleAt(server, 'sellerSigned')
  const { exclusiveUntil } = await readProgressOf(sale)
  await suspend(administrator, sale.buyer)
  const until = `select to_char(exclusive_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as until from deals where buyer_id = $1`
  expect(await server.query(until, [sale.buyer.id])).toEqual([{ until: exclusiveUntil }])
  await lift(administrator, sale.buyer)
  await server.query(`update deals set exclusive_until = now() - interval '1 second' where buyer_id = $1`, [
    sale.buyer.id,
  ])
  await suspend(administrator, sale.buyer)
  expect(await listRequestsOn(sale)).toMatchObject([{ status: 'PENDING', isPaused: true }])
})

// R-deals-118
test('completes no paused deal that both signed, and delivers it after the suspension', async () => {
  const sale = await aSaleAt(server, 'passed')
  const { pkgId } = await readProgressOf(sale)
  await server.query(
    `update deliveries set state = 'WAITING', way = 'webhook', ended_at = null
      from deals where deals.id = deal_id and package_id = $1`,
    [pkgId],
  )
  await suspend(administrator, sale.seller)
  await server.query('delete from jobs')
  const [delivery] = await administrator.ask(listDeliveries, { query: { limit: 1 } })
  const replay = administrator.send(replayDelivery, { params: { deliveryId: delivery?._id ?? '' } })
  expect(await statusAndCode(replay)).toEqual(paused)
  const complete = () => administrator.send(deals.completeDeal, { params: { pkgId: pkgId ?? '' } })
  expect(await statusAndCode(complete())).toEqual(paused)
  // A rejected act leaves no record of a look, so it shows no contact data.
  expect((await complete()).body).not.toContain(sale.buyer.email)
  await lift(administrator, sale.seller)
  const jobs = await server.query(`select 1 from jobs where name = 'deliver-deal'`)
  expect(jobs).toHaveLength(1)
  expect((await complete()).status).toBe(200)
})

// R-deals-118
test('leaves an emailed delivery as it is when a suspension ends', async () => {
  const sale = await aSaleAt(server, 'passed')
  const { pkgId } = await readProgressOf(sale)
  await server.query(
    `update deliveries set state = 'WAITING', way = 'mail', ended_at = null
      from deals where deals.id = deal_id and package_id = $1`,
    [pkgId],
  )
  await suspend(administrator, sale.seller)
  await server.query('delete from jobs')
  await lift(administrator, sale.seller)
  expect(await server.query(`select 1 from jobs where name = 'deliver-deal'`)).toEqual([])
})

// R-accounts-63, R-accounts-64
test('holds the trades of a suspended owner and the offers of a suspended wholesaler', async () => {
  const [owner, wholesaler] = [await aBuyer(server), await aWholesaler(server)]
  const waiting = await aTradeAt('PENDING', { owner, wholesaler })
  const named = await aTradeAt('OFFERED', { owner, wholesaler })
  const rival = await aWholesaler(server)
  const listedFor = async (by: typeof administrator, trade: Trade) => {
    const params = { userId: owner.id }
    const lists = [
      await by.ask(listTrades, { query: { limit: 200 } }),
      await by.ask(listTradesOfUser, { params }),
    ]
    return lists.map((rows) => rows.find(({ _id }) => _id === trade._id)?.isPaused)
  }
  await suspend(administrator, owner)
  const offer = { status: 'OFFERED', price: 20_000 }
  const refused = await sendTradeMove(wholesaler, waiting, offer)
  expect([refused.status, refused.error]).toMatchObject([
    409,
    { errorCode: 'TradePaused', current: { isPaused: true } },
  ])
  // Only those with the wholesaler's own offer stay listed.
  expect(await listedFor(wholesaler, waiting)).toEqual([undefined, undefined])
  expect(await listedFor(wholesaler, named)).toEqual([true, true])
  expect(await listedFor(rival, named)).toEqual([undefined, undefined])
  expect(await listedFor(administrator, waiting)).toEqual([true, true])
  await lift(administrator, owner)
  expect(await listedFor(rival, waiting)).toEqual([false, false])
  const other = await aBuyer(server)
  const offered = await aTradeAt('OFFERED', { owner: other, wholesaler })
  await suspend(administrator, wholesaler)
  const accept = () => sendTradeMove(other, offered, { status: 'ACCEPTED' })
  const [own] = await other.ask(listTradesOfUser, { params: { userId: other.id } })
  expect(own?.isPaused).toBe(true)
  expect(await statusAndCode(accept())).toEqual([409, 'TradePaused'])
  await lift(administrator, wholesaler)
  expect((await accept()).status).toBe(200)
})

// R-accounts-63
test.each([
  ['tells other wholesalers that a trade is open again', false],
  ['tells nobody that the trade of a suspended owner is open again', true],
])('%s', async (_, isSuspended) => {
  const [owner, wholesaler] = [await aBuyer(server), await aWholesaler(server)]
  const rival = await aWholesaler(server)
  const trim = `Lariat ${isSuspended}`
  const trade = await aTradeAt('OFFERED', { owner, wholesaler }, { trim })
  if (isSuspended) await suspend(administrator, owner)
  expect((await sendTradeMove(wholesaler, trade, { status: 'PENDING' })).status).toBe(200)
  const notices = await rival.ask(listNotifications, { query: {} })
  const told = notices.filter(({ message }) => message.endsWith(`${trim} is waiting for an offer again.`))
  expect(told).toHaveLength(isSuspended ? 0 : 1)
})

// R-accounts-65
test('suspends once, lifts once, and keeps the history', async () => {
  const seller = await aSeller(server)
  const another = await anAdministrator(server)
  const sent = await Promise.all([administrator, another].map((by) => tryToSuspend(by, seller)))
  expect(sent.map(({ status }) => status).sort()).toEqual([200, 409])
  const params = { userId: seller.id }
  const { suspensions } = await administrator.ask(calls.readPersonState, { params })
  const lifting = { params: { ...params, suspensionId: suspensions[0]?._id ?? '' } }
  await Promise.all([administrator, another].map((by) => by.ask(calls.liftSuspension, lifting)))
  const mails = (await readEmailsTo(server, seller.email)).map(({ subject }) => subject)
  expect(mails.filter((subject) => subject === 'Your account is active again')).toHaveLength(1)
  await suspend(administrator, seller)
  // An old page lifts only the suspension that it shows.
  const after = await administrator.ask(calls.liftSuspension, lifting)
  expect([after.isSuspended, after.suspensions.map(({ liftedAt }) => liftedAt !== null)]).toEqual([
    true,
    [false, true],
  ])
  const strangers = { params: { ...lifting.params, userId: (await aSeller(server)).id } }
  expect(await statusAndCode(administrator.send(calls.liftSuspension, strangers))).toEqual([404, 'NotFound'])
})

// R-accounts-66
test('records suspending, lifting and ending sessions', async () => {
  const seller = await aSeller(server)
  await administrator.ask(calls.endSessionsOfPerson, { params: { userId: seller.id } })
  expect(await statusAndCode(seller.send(accounts.getUser))).toEqual([401, 'InvalidAccessToken'])
  const { email, password } = seller
  expect((await seller.send(accounts.login, { body: { email, password } })).status).toBe(200)
  await suspend(administrator, seller)
  await lift(administrator, seller)
  const events = await server.query<{ act: string; after: unknown }>(
    `select act, after from admin_events where person_id = $1 and act not like 'viewed%' order by id`,
    [seller.id],
  )
  expect(events.map(({ act }) => act)).toEqual(['endedPersonSessions', 'suspendedPerson', 'liftedSuspension'])
  expect(JSON.stringify(events)).not.toContain('paid you')
})

// R-accounts-65
test('erases the text of a lifted suspension with the account', async () => {
  const buyer = await aBuyer(server)
  await suspend(administrator, buyer)
  await lift(administrator, buyer)
  const { id, email, password } = buyer
  await buyer.ask(accounts.login, { body: { email, password } })
  await buyer.ask(deals.deleteUser, { params: { userType: 'BUYER', id } })
  expect(await server.query('select note, reason from suspensions where user_id = $1', [id])).toEqual([
    { note: null, reason: 'FRAUD' },
  ])
  expect(await statusAndCode(tryToSuspend(administrator, buyer))).toEqual([404, 'NotFound'])
})

// R-accounts-67
test('finds people by id, address, last name and the start of the full name', async () => {
  const name = { firstName: 'Zoë', lastName: 'Quillfeather' }
  const person = await aBuyer(server, name)
  const find = (search: string) => administrator.ask(calls.findPeople, { query: { search } })
  for (const search of [person.id, person.email.toUpperCase(), 'quillf', 'Zoë Quill', ' zoë '])
    expect(
      (await find(search)).map(({ _id }) => _id),
      search,
    ).toContain(person.id)
  for (const search of ['', 'quil%', 'feather', person.email.slice(0, -2)])
    expect(await find(search), search).toEqual([])
  const looks = await server.query<{ after: unknown }>(
    `select after from admin_events where act = 'viewedPeople'`,
  )
  expect(JSON.stringify(looks)).not.toMatch(/quill/i)
})

// R-deals-117
test.each([
  [
    'a session',
    `insert into sessions (id, user_id, expires_at, idle_seconds) values ('${'1'.repeat(24)}', $1, now(), 1)`,
  ],
  ['a confirmation', `update deals set status = 'ACCEPTED' where seller_id = $1`],
  ['a price', `update deals set price_cents = 100 where seller_id = $1`],
  [
    'a message',
    `insert into deal_messages (id, deal_id, sender_id, text) select '${'1'.repeat(24)}', id, buyer_id, 'Hi' from deals where seller_id = $1`,
  ],
  ['a mark without a suspension', `update users set suspended_at = null where id = $1`],
  ['a changed suspension', `update suspensions set reason = 'OTHER' where user_id = $1`],
  ['a deleted suspension', `delete from suspensions where user_id = $1`],
])('the database rejects %s', async (_, statement) => {
  const { seller } = await aSaleAt(server, 'requested')
  await suspend(administrator, seller)
  await expect(server.query(statement, [seller.id])).rejects.toThrow(
    /suspended person|deal on hold|suspension is lifted|has a suspension/,
  )
})

test('confirms and signs as ever when nobody is suspended', async () => {
  const sale = await aSaleAt(server, 'requested')
  await confirmBuyer(sale)
  await signAsSeller(sale)
  await signAsBuyer(sale)
  expect((await readProgressOf(sale)).passedAt).not.toBeNull()
})
