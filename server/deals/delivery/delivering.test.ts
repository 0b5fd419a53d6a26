import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { getProgress } from '@keyturn/contract/deals/calls.ts'
import {
  addDealer,
  editDealer,
  listDealers,
  listDeliveries,
  replayDelivery,
  testDealer,
} from '@keyturn/contract/deals/dealers/dealers.ts'
import { packageSchema, partnerAgreement } from '@keyturn/contract/deals/dealers/partner.ts'
import { logInclusion } from '@keyturn/contract/deals/evidence-log.ts'
import { deliveredPackage1 } from '@keyturn/contract/frozen/package-1/delivered-package.ts'
import { refuse } from '@keyturn/contract/kit/refusal.ts'
import canonicalize from 'canonicalize'
import { Webhook } from 'standardwebhooks'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { doDueJobs } from '../../jobs/jobs.ts'
import { mailJobs } from '../../mail/mail-jobs.ts'
import { aKey, signatureOf } from '../../test/dealers/partner.ts'
import { aWebhookReceiver, type WebhookReceiver } from '../../test/dealers/webhook-receiver.ts'
import { aSaleAt, aVin, progressOf, type Sale } from '../../test/deals.ts'
import { type House, openHouse } from '../../test/house.ts'
import { anAdministrator } from '../../test/people.ts'
import { aReceiver } from '../../test/receiver.ts'
import { agreementLetters, dealerLetters, dealJobs } from '../actions.ts'

const key = aKey()
const house = await openHouse({ WEBHOOKS_PRIVATE: 'allow', ADMIN_EMAIL: 'operator@example.com' })
const administrator = await anAdministrator(house)

/** A dealer of this test's own: its ZIP code is nobody else's. */
let zip = 10_000
async function aDealer(receiver: Pick<WebhookReceiver, 'url'>, more: object = {}) {
  const area = String(++zip)
  const dealer = await administrator.ask(addDealer, {
    body: { name: `Dealer ${area}`, areas: area, webhookUrl: receiver.url, webhookSecrets: key, ...more },
  })
  return { dealer, sale: () => aSaleAt(house, 'passed', { zipCode: area, vin: aVin() }), area }
}

const deliver = (at: House = house) => doDueJobs(at.deps, dealJobs(at.deps))
const deliveriesOf = async (sale: Sale) => {
  const { pkgId } = await progressOf(sale)
  const all = await administrator.ask(listDeliveries, { query: { limit: 200 } })
  return all.filter((one) => one.pkgId === pkgId)
}
/** Everything that waits is due. */
const hurry = () =>
  house
    .query(`update deliveries set next_try_at = keyturn_now() where state = 'WAITING'`)
    .then(() => house.query(`update jobs set run_at = keyturn_now() where name = 'deliver-deal'`))

// R-deals-74
test('a deal that both have signed reaches its dealer, signed, with all that proves it', async () => {
  const receiver = await aWebhookReceiver()
  const { sale: sell } = await aDealer(receiver)
  const sale = await sell()
  await deliver()
  expect(receiver.received.length).toBe(1)
  const [{ body, headers } = { body: '', headers: {} }] = receiver.received
  const event = new Webhook(key).verify(body, headers as Record<string, string>) as {
    type: string
    data: never
  }
  expect(event.type).toBe('deal.passed')
  const found = deliveredPackage1.parse(event.data)
  const { pkgId } = await progressOf(sale)
  expect(found).toMatchObject({ pkgId, deal: { price: 900000, seller: { firstName: 'Selma' } } })
  // What was frozen stands in the public log under the digest that anybody can compute of it.
  const { deal } = event.data as { deal: unknown }
  const digest = createHash('sha256')
    .update(canonicalize(deal) ?? '')
    .digest('hex')
  expect(found.log.digest).toBe(digest)
  expect(await house.browser().ask(logInclusion, { params: { digest } })).toMatchObject({ kind: 'package' })
  for (const hash of Object.values(found.signatures))
    expect(await house.browser().ask(logInclusion, { params: { digest: hash } })).toMatchObject({
      kind: 'signature',
    })
  expect(found.signatures).toEqual({
    seller: await digestOf(sale, 'SELLER'),
    buyer: await digestOf(sale, 'BUYER'),
  })
  // The agreement is named by its digest, and the dealer gets it for a signature.
  const file = await house.app.inject({
    url: new URL(found.agreement.url).pathname,
    headers: signatureOf(partnerAgreement, { params: { pkgId: found.pkgId } }, key),
  })
  expect(file.statusCode).toBe(200)
  expect(createHash('sha256').update(file.rawPayload).digest('hex')).toBe(found.agreement.sha256)
  const [delivery] = await deliveriesOf(sale)
  expect(delivery).toMatchObject({
    state: 'DELIVERED',
    way: 'webhook',
    digest: createHash('sha256').update(body).digest('hex'),
    tries: [{ status: 204, because: null }],
  })
})

const digestOf = async (sale: Sale, party: string) =>
  (
    await house.query<{ hash: string }>(
      `select encode(hash, 'hex') as hash from signatures where party = $2
       and deal_id = (select id from deals where car_id = $1)`,
      [sale.car._id, party],
    )
  )[0]?.hash

test('what a package looks like is published as a JSON Schema', async () => {
  const { headers, body } = await house.browser().send(packageSchema)
  expect(headers['content-type']).toContain('application/schema+json')
  const frozen = new URL('../../../contract/frozen/package-1/golden/schema.json', import.meta.url)
  expect(body.replace(house.deps.config.publicUrl.href, 'https://keyturn.example/')).toBe(
    readFileSync(frozen, 'utf8'),
  )
})

// R-deals-14
test('a wish for a loan goes as an event of its own, after the deal, and only with the buyer’s consent', async () => {
  const receiver = await aWebhookReceiver()
  const { area } = await aDealer(receiver)
  for (const contactConsent of [true, false]) {
    const sale = await aSaleAt(house, 'sellerSigned', { zipCode: area, vin: aVin() })
    const wish = { amount: 500000, termMonths: 48, downPayment: 100000, tradeValue: null, contactConsent }
    await house.query(`update deals set needs_financing = true, financing = $2 where car_id = $1`, [
      sale.car._id,
      JSON.stringify(wish),
    ])
    await signAsBuyerOf(sale)
  }
  await deliver()
  const events = receiver.received.map(({ body }) => JSON.parse(body))
  expect(events.map(({ type }) => type)).toEqual(['deal.passed', 'deal.financing', 'deal.passed'])
  expect(events[1].data).toMatchObject({
    pkgId: events[0].data.pkgId,
    amount: 5000,
    termMonths: 48,
    buyer: { firstName: 'Basil' },
    consent: { given: true },
  })
})

const signAsBuyerOf = async (sale: Sale) => (await import('../../test/deals.ts')).signAsBuyer(sale)

// R-deals-74
describe('a dealer that does not take a deal gets it again, under the same id', () => {
  test('after ten minutes in which it was down, and with two deals each in its order', async () => {
    const place = await aWebhookReceiver(undefined, { stays: true })
    await place.close()
    const { sale: sell } = await aDealer(place)
    const sales = [await sell(), await sell()]
    await deliver()
    for (const minutes of [1, 3, 10]) {
      await house.moveClock(`${minutes} minutes`)
      await deliver()
    }
    const receiver = await aWebhookReceiver(undefined, { port: place.port })
    await house.moveClock('40 minutes')
    await deliver()
    await house.moveClock('0 minutes')
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(2)
    expect(receiver.received.length).toBe(2)
    for (const sale of sales) {
      const [delivery] = await deliveriesOf(sale)
      expect(delivery?.state).toBe('DELIVERED')
      expect(delivery?.tries.length).toBeGreaterThan(3)
      expect(delivery?.tries.at(-1)?.because).toBe('nobody listens')
      expect(receiver.received.map(({ id }) => id)).toContain(`msg_${delivery?._id}`)
    }
  })

  test('whatever it answered the first times', async () => {
    const receiver = await aWebhookReceiver((response, _, count) => {
      if (count === 1) response.writeHead(500).end()
      else if (count === 2) response.destroy()
      else if (count === 3) response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
      else response.writeHead(200).end()
    })
    const sale = await (await aDealer(receiver)).sale()
    for (let times = 0; times < 4; times++) {
      await hurry()
      await deliver()
    }
    const [delivery] = await deliveriesOf(sale)
    expect(delivery?.tries.map(({ status, because }) => [status, because])).toEqual([
      [200, null],
      [302, 'redirects'],
      [null, 'closed the connection'],
      [500, 'answered'],
    ])
    expect(new Set(receiver.received.map(({ id, body }) => `${id} ${body}`)).size).toBe(1)
  })

  test('with a signature of its old key and its new one while one takes over from the other', async () => {
    const [old, fresh] = [aKey(), aKey()]
    const receiver = await aWebhookReceiver()
    const { sale } = await aDealer(receiver, { webhookSecrets: `${old} ${fresh}` })
    await sale()
    await deliver()
    const [{ body, headers } = { body: '', headers: {} }] = receiver.received
    for (const one of [old, fresh])
      expect(new Webhook(one).verify(body, headers as never)).toMatchObject({ type: 'deal.passed' })
    expect(() => new Webhook(key).verify(body, headers as never)).toThrow()
  })

  test('where it was taken and nobody wrote that down', async () => {
    const receiver = await aWebhookReceiver()
    const sale = await (await aDealer(receiver)).sale()
    await deliver()
    // As a process leaves it that is killed after the answer.
    await house.query(
      `update deliveries set state = 'WAITING', ended_at = null where deal_id = (select id from deals where car_id = $1)`,
      [sale.car._id],
    )
    await house.query(
      `insert into jobs (name, key, payload) select 'deliver-deal', 'deliver ' || id, jsonb_build_object('dealId', id) from deals where car_id = $1`,
      [sale.car._id],
    )
    await deliver()
    expect(receiver.received.length).toBe(2)
    expect(new Set(receiver.received.map(({ id, body }) => `${id} ${body}`)).size).toBe(1)
  })
})

// R-deals-74
test('after three days it is parked, what comes behind it too, the administrator is told, and sends it again by click', async () => {
  let isUp = false
  const receiver = await aWebhookReceiver((response) => response.writeHead(isUp ? 200 : 503).end())
  const { area } = await aDealer(receiver)
  const sale = await aSaleAt(house, 'sellerSigned', { zipCode: area, vin: aVin() })
  await house.query(`update deals set needs_financing = true, financing = $2 where car_id = $1`, [
    sale.car._id,
    JSON.stringify({ amount: null, termMonths: null, downPayment: null, contactConsent: true }),
  ])
  await signAsBuyerOf(sale)
  await deliver()
  await house.moveClock('71 hours')
  await deliver()
  expect((await waiting(sale)).map(({ state }) => state)).toEqual(['WAITING', 'WAITING'])
  await house.moveClock('73 hours')
  await deliver()
  await house.moveClock('0 hours')
  expect((await deliveriesOf(sale)).map(({ state }) => state)).toEqual(['PARKED', 'PARKED'])
  expect((await administrator.ask(listDealers)).find(({ areas }) => areas[0] === area)?.parked).toBe(2)
  const told = await house.query<{ subject: string }>(
    `select subject from mails where recipient = 'operator@example.com'`,
  )
  expect(told).toContainEqual({ subject: `A deal did not reach Dealer ${area}` })
  const tries = receiver.received.length
  await deliver()
  expect(receiver.received.length).toBe(tries)
  isUp = true
  for (const { _id } of (await deliveriesOf(sale)).reverse())
    await administrator.ask(replayDelivery, { params: { deliveryId: _id } })
  await deliver()
  const sent = receiver.received.slice(tries).map(({ body }) => JSON.parse(body).type)
  expect(sent).toEqual(['deal.passed', 'deal.financing'])
  expect((await deliveriesOf(sale)).map(({ state }) => state)).toEqual(['DELIVERED', 'DELIVERED'])
})

// R-deals-74
test('the three days begin with the first try, however long nobody could make one', async () => {
  const receiver = await aWebhookReceiver((response) => response.writeHead(503).end())
  const sale = await (await aDealer(receiver)).sale()
  await house.query(
    `update deliveries set created_at = created_at - interval '4 days', give_up_at = give_up_at - interval '4 days' where deal_id = (select id from deals where car_id = $1)`,
    [sale.car._id],
  )
  for (const [later, state] of [
    ['0 hours', 'WAITING'],
    ['71 hours', 'WAITING'],
    ['73 hours', 'PARKED'],
  ] as const) {
    await house.moveClock(later)
    await deliver()
    await house.moveClock('0 hours')
    expect((await deliveriesOf(sale)).map((one) => one.state)).toEqual([state])
  }
})

// R-deals-74
test('a deal whose agreement could not be drawn for three days is tried before it is parked', async () => {
  const receiver = await aWebhookReceiver()
  const sale = await (await aDealer(receiver)).sale()
  const broken = { ...house.deps, printer: { print: () => Promise.reject(refuse.Unavailable()) } }
  const count = (tries: number) =>
    house.query('update deliveries set tries = $2 where deal_id = (select id from deals where car_id = $1)', [
      sale.car._id,
      tries,
    ])
  // Within the three days it is no try either, whatever was tried before.
  for (const [tries, later] of [[3, '1 hour'] as const, [0, '73 hours'] as const]) {
    await count(tries)
    await house.moveClock(later)
    await doDueJobs(broken, dealJobs(broken))
    await house.moveClock('0 hours')
    expect(await deliveriesOf(sale)).toMatchObject([{ state: 'WAITING', tries: [] }])
  }
  await house.moveClock('74 hours')
  await deliver()
  await house.moveClock('0 hours')
  expect((await deliveriesOf(sale)).map(({ state }) => state)).toEqual(['DELIVERED'])
})

// R-deals-74
test('a deal that waits in a long line of agreements to be drawn comes back soon, however often it has waited', async () => {
  const receiver = await aWebhookReceiver()
  const sale = await (await aDealer(receiver)).sale()
  const busy = { ...house.deps, printer: { print: () => Promise.reject(refuse.Unavailable()) } }
  for (let times = 1; times <= 6; times++) {
    await house.moveClock(`${times} minutes`)
    await doDueJobs(busy, dealJobs(busy))
    const [job] = await house.query<{ attempts: number; seconds: number }>(
      `select attempts, extract(epoch from run_at - keyturn_now())::float8 as seconds from jobs
        where name = 'deliver-deal' and payload ->> 'dealId' = (select id from deals where car_id = $1)`,
      [sale.car._id],
    )
    expect([times, job?.attempts]).toEqual([times, times])
    expect(job?.seconds).toBeLessThanOrEqual(30)
  }
  await house.moveClock('7 minutes')
  await deliver()
  await house.moveClock('0 hours')
  expect((await deliveriesOf(sale)).map(({ state }) => state)).toEqual(['DELIVERED'])
})

// R-deals-81
test('both sides read that a deal is on its way, stuck, and taken, and their open pages are told each time', async () => {
  let isUp = false
  const receiver = await aWebhookReceiver((response) => response.writeHead(isUp ? 200 : 503).end())
  const sale = await (await aDealer(receiver)).sale()
  const read = async () =>
    Promise.all(
      [sale.seller, sale.buyer].map(
        async (side) => (await side.ask(getProgress, { params: sale.at })).delivery,
      ),
    )
  const signals = await heard(sale)
  await deliver()
  expect(await read()).toEqual(['WAITING', 'WAITING'])
  await house.moveClock('73 hours')
  await signals.after(deliver)
  await house.moveClock('0 hours')
  expect(await read()).toEqual(['PARKED', 'PARKED'])
  isUp = true
  const [delivery] = await deliveriesOf(sale)
  const again = () => administrator.ask(replayDelivery, { params: { deliveryId: delivery?._id ?? '' } })
  await signals.after(again)
  expect(await read()).toEqual(['WAITING', 'WAITING'])
  await signals.after(deliver)
  expect(await read()).toEqual(['DELIVERED', 'DELIVERED'])
  // Sent once more, it is there all the same.
  await again()
  expect(await read()).toEqual(['DELIVERED', 'DELIVERED'])
})

/** What the pages of both sides are told. */
async function heard({ seller, buyer }: Sale) {
  const client = await house.deps.pool.connect()
  onTestFinished(() => client.release(true))
  const payloads: string[] = []
  client.on('notification', ({ payload = '' }) => payloads.push(payload))
  await client.query('listen keyturn')
  const isForBoth = (payload: string) => payload.includes(seller.id) && payload.includes(buyer.id)
  return {
    after: async (work: () => unknown) => {
      payloads.length = 0
      await work()
      await vi.waitFor(() => expect(payloads.filter(isForBoth).join()).toContain('deals'), 10_000)
    },
  }
}

const waiting = (sale: Sale) =>
  house.query<{ state: string }>(
    'select state from deliveries where deal_id = (select id from deals where car_id = $1)',
    [sale.car._id],
  )

test('a dealer that hangs does not keep the deals of others waiting', async () => {
  const hanging = await aWebhookReceiver(() => {})
  const receiver = await aWebhookReceiver()
  const stuck = await aDealer(hanging)
  const sale = await (await aDealer(receiver)).sale()
  const task = dealJobs(house.deps)['deliver-deal']
  const deals = await Promise.all(Array.from({ length: 8 }, () => stuck.sale()))
  const ids = await house.query<{ id: string }>('select id from deals where car_id = any($1)', [
    deals.map(({ car }) => car._id),
  ])
  const about = { attempts: 1, stopping: new AbortController().signal }
  const outcomes = ids.map(({ id }) => task?.run({ dealId: id }, about))
  const turnedAway = await Promise.race(outcomes)
  expect(turnedAway).toMatchObject({ againInMs: 1000 })
  // Whose turn does not come asks less and less often.
  for (const [attempts, againInMs] of [[9, 9000] as const, [500, 30_000] as const])
    expect(await task?.run({ dealId: ids[7]?.id }, { ...about, attempts })).toEqual({ againInMs })
  const [own] = await house.query<{ id: string }>('select id from deals where car_id = $1', [sale.car._id])
  await task?.run({ dealId: own?.id }, about)
  expect(receiver.received.length).toBe(1)
  expect(hanging.received.length).toBeLessThanOrEqual(5)
})

test('a test goes out at once, once, and stands in the list', async () => {
  const receiver = await aWebhookReceiver((response, _, count) =>
    response.writeHead(count === 1 ? 200 : 500).end(),
  )
  const { dealer } = await aDealer(receiver)
  const send = () => administrator.ask(testDealer, { params: { dealerId: dealer._id } })
  expect(await send()).toMatchObject({
    kind: 'test',
    pkgId: null,
    state: 'DELIVERED',
    tries: [{ status: 200 }],
  })
  const failed = await send()
  expect(failed).toMatchObject({ state: 'PARKED', tries: [{ status: 500, because: 'answered' }] })
  await deliver()
  expect(receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual(['test', 'test'])
  const again = await administrator.send(replayDelivery, { params: { deliveryId: failed._id } })
  expect(again.status).toBe(404)
})

test('nothing goes by http or into our own network where that is not allowed', async () => {
  const strict = await openHouse()
  const receiver = await aWebhookReceiver()
  const boss = await anAdministrator(strict)
  const added = await boss.ask(addDealer, {
    body: { name: 'Inside', webhookUrl: 'https://127.0.0.1:9/', webhookSecrets: key },
  })
  expect(await boss.ask(testDealer, { params: { dealerId: added._id } })).toMatchObject({
    tries: [{ because: 'private address' }],
  })
  await strict.query('update dealers set webhook_url = $1 where id = $2', [receiver.url, added._id])
  expect(await boss.ask(testDealer, { params: { dealerId: added._id } })).toMatchObject({
    tries: [{ because: 'not https' }],
  })
  expect(receiver.received).toEqual([])
})

// R-deals-74
describe('for a dealer without a system', () => {
  test('a letter takes the package and the signed agreement along, and its end is the delivery’s', async () => {
    const receiver = await aReceiver()
    const posted = await openHouse({ SMTP_URL: receiver.url, DEALER_EMAIL: 'deals@dealer.example' })
    const sale = await signedOn(posted)
    const boss = await anAdministrator(posted)
    const before = await boss.ask(listDeliveries)
    expect(before).toMatchObject([{ way: 'mail', state: 'WAITING', pkgId: sale.pkgId }])
    const mail = mailJobs(posted.deps, {
      agreement: agreementLetters(posted.deps),
      delivery: dealerLetters(posted.deps),
    })
    await doDueJobs(posted.deps, mail.tasks)
    mail.close()
    const letter = receiver.received.find(({ to }) => to === 'deals@dealer.example')
    expect(letter?.body).toContain(`package-${sale.pkgId}.json`)
    expect(letter?.body).toContain(`agreement-${sale.pkgId}.pdf`)
    const json = attachment(letter?.body ?? '', 'application/json')
    expect(deliveredPackage1.parse(JSON.parse(json.toString()))).toMatchObject({ pkgId: sale.pkgId })
    expect(
      attachment(letter?.body ?? '', 'application/pdf')
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-')
    expect(await boss.ask(listDeliveries)).toMatchObject([{ state: 'DELIVERED', tries: [{ because: null }] }])
  })

  test('a letter that its mail server will never take is parked', async () => {
    const receiver = await aReceiver({ answer: () => 550 })
    const posted = await openHouse({ SMTP_URL: receiver.url, DEALER_EMAIL: 'deals@dealer.example' })
    await signedOn(posted)
    const mail = mailJobs(posted.deps, {
      agreement: agreementLetters(posted.deps),
      delivery: dealerLetters(posted.deps),
    })
    await doDueJobs(posted.deps, mail.tasks)
    mail.close()
    const boss = await anAdministrator(posted)
    expect(await boss.ask(listDeliveries)).toMatchObject([{ state: 'PARKED' }])
  })
})

test('a deal that has nowhere to go waits for the administrator, who sends it once there is a place', async () => {
  const receiver = await aWebhookReceiver()
  const { dealer, sale: sell, area } = await aDealer(receiver, { webhookUrl: '', webhookSecrets: '' })
  const sale = await sell()
  const [stranded] = await deliveriesOf(sale)
  expect(stranded).toMatchObject({ state: 'PARKED', tries: [] })
  await administrator.ask(editDealer, {
    params: { dealerId: dealer._id },
    body: { name: dealer.name, areas: area, webhookUrl: receiver.url, webhookSecrets: key },
  })
  await administrator.ask(replayDelivery, { params: { deliveryId: stranded?._id ?? '' } })
  await deliver()
  expect(receiver.received.map(({ id }) => id)).toEqual([`msg_${stranded?._id}`])
})

async function signedOn(at: House) {
  const sale = await aSaleAt(at, 'passed')
  return { ...sale, pkgId: (await progressOf(sale)).pkgId ?? '' }
}

/** Of a mail with parts in base64. */
function attachment(mail: string, type: string): Buffer {
  const part = mail.slice(mail.indexOf(`Content-Type: ${type}`))
  const [, content = ''] = /\r?\n\r?\n([\s\S]*?)\r?\n--/.exec(part) ?? []
  return Buffer.from(content, 'base64')
}
