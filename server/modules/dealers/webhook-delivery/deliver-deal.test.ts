import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { proveLogInclusion } from '@keyturn/contract/agreements/evidence-log.ts'
import {
  readPackageSchema1,
  readPackageSchema2,
  readPartnerAgreement,
} from '@keyturn/contract/dealers/dealer-api.ts'
import {
  addDealer,
  editDealer,
  listDealers,
  listDeliveries,
  replayDelivery,
  testDealer,
} from '@keyturn/contract/dealers/endpoints.ts'
import { getProgress } from '@keyturn/contract/deals/endpoints.ts'
import { deliveredPackage2 } from '@keyturn/contract/frozen/package-2/delivered-package.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import canonicalize from 'canonicalize'
import { Webhook } from 'standardwebhooks'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createDealerKey, signDealerRequest } from '../../../../tests/support/dealers/dealer-client.ts'
import {
  startWebhookReceiver,
  type WebhookReceiver,
} from '../../../../tests/support/dealers/webhook-receiver.ts'
import { anAdministrator, readEmailsTo } from '../../../../tests/support/people.ts'
import { readPackageIdOf } from '../../../../tests/support/sales/deal-moves.ts'
import {
  aSaleAt,
  aVin,
  type Sale,
  type SaleStage,
  signAsBuyer,
} from '../../../../tests/support/sales/deals.ts'
import { startSmtpReceiver } from '../../../../tests/support/smtp-receiver.ts'
import { startTestServer, type TestServer } from '../../../../tests/support/test-server.ts'
import { runDueJobs } from '../../../platform/jobs/jobs.ts'
import { createEmailTasks } from '../../../platform/mail/email-tasks.ts'
import { saleTasks } from '../../../tasks.ts'
import { agreementAttachments } from '../../agreements/agreement-pdf-store.ts'
import { dealerAttachments } from './dealer-email.ts'

const key = createDealerKey()
const server = await startTestServer({ WEBHOOKS_PRIVATE: 'allow', ADMIN_EMAIL: 'operator@example.com' })
const administrator = await anAdministrator(server)

let zip = 10_000
/** Adds a dealer whose ZIP code no other test uses. */
async function aDealer(receiver: Pick<WebhookReceiver, 'url'>, more: object = {}) {
  const area = String(++zip)
  const form = { name: `Dealer ${area}`, areas: area, webhookUrl: receiver.url, webhookSecrets: key }
  const dealer = await administrator.ask(addDealer, { body: { ...form, ...more } })
  const sale = (stage: SaleStage = 'passed') => aSaleAt(server, stage, { zipCode: area, vin: aVin() })
  return { dealer, form, sale, area }
}

const deliver = (at: Pick<TestServer, 'deps'> = server) => runDueJobs(at.deps, saleTasks(at.deps))
const deliveriesOf = async (sale: Sale) => {
  const pkgId = await readPackageIdOf(sale)
  const all = await administrator.ask(listDeliveries, { query: { limit: 200 } })
  return all.filter((one) => one.pkgId === pkgId)
}

const statesOf = async (sale: Sale) => (await deliveriesOf(sale)).map(({ state }) => state)
const dealIdOf = async ({ car }: Sale) =>
  (await server.query<{ id: string }>('select id from deals where car_id = $1', [car._id]))[0]?.id ?? ''
/** Runs `work` with the clock moved forward. */
async function deliverAfter(later: string, work: () => unknown = deliver) {
  await server.moveClock(later)
  await work()
  await server.moveClock('0 hours')
}
const respondIfUp = (receiver: { isUp: boolean }) => (response: ServerResponse) =>
  response.writeHead(receiver.isUp ? 200 : 503).end()

/** Signs with a financing wish, which becomes an event if the buyer consents to be contacted. */
async function signWithWish(sale: Sale, contactConsent: boolean) {
  const wish = { amount: 500000, termMonths: 48, downPayment: 100000, tradeValue: null, contactConsent }
  await server.query(`update deals set needs_financing = true, financing = $2 where car_id = $1`, [
    sale.car._id,
    JSON.stringify(wish),
  ])
  await signAsBuyer(sale)
}

// R-deals-74
test('delivers a fully signed deal with a signature and all proofs', async () => {
  const receiver = await startWebhookReceiver()
  const sale = await (await aDealer(receiver)).sale()
  await deliver()
  expect(receiver.received.length).toBe(1)
  const [{ body, headers } = { body: '', headers: {} }] = receiver.received
  const event = new Webhook(key).verify(body, headers as never) as { type: string; data: { deal: unknown } }
  expect(event.type).toBe('deal.passed')
  const found = deliveredPackage2.parse(event.data)
  const pkgId = await readPackageIdOf(sale)
  expect(found).toMatchObject({ pkgId, deal: { price: 900000, seller: { firstName: 'Selma' } } })
  // The public log has the package under the digest that anyone can compute from it.
  expect(found.log.digest).toBe(sha256(canonicalize(event.data.deal) ?? ''))
  for (const [digest, kind] of [
    [found.log.digest, 'package'],
    [found.signatures.seller, 'signature'],
    [found.signatures.buyer, 'signature'],
  ] as const)
    expect(await server.browser().ask(proveLogInclusion, { params: { digest } })).toMatchObject({ kind })
  const signed = await server.query<{ party: string; hash: string }>(
    `select lower(party) as party, encode(hash, 'hex') as hash from signatures where deal_id = $1`,
    [await dealIdOf(sale)],
  )
  expect(found.signatures).toEqual(Object.fromEntries(signed.map(({ party, hash }) => [party, hash])))
  // The dealer fetches the agreement by a signed request and compares the digest.
  const file = await server.app.inject({
    url: new URL(found.agreement.url).pathname,
    headers: signDealerRequest(readPartnerAgreement, { params: { pkgId } }, key),
  })
  expect([file.statusCode, sha256(file.rawPayload)]).toEqual([200, found.agreement.sha256])
  const [delivery] = await deliveriesOf(sale)
  const tries = [{ status: 204, because: null }]
  expect(delivery).toMatchObject({ state: 'DELIVERED', way: 'webhook', digest: sha256(body), tries })
})

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')

test.each([
  [1, readPackageSchema1],
  [2, readPackageSchema2],
] as const)('publishes version %i of the package format as a JSON Schema', async (version, schema) => {
  const { headers, body } = await server.browser().send(schema)
  expect(headers['content-type']).toContain('application/schema+json')
  const frozen = new URL(`../../../../contract/frozen/package-${version}/golden/schema.json`, import.meta.url)
  expect(body.replace(server.deps.config.publicUrl.href, 'https://keyturn.example/')).toBe(
    readFileSync(frozen, 'utf8'),
  )
})

// R-deals-14
test('sends a financing wish as a separate event after the deal, and only with consent', async () => {
  const receiver = await startWebhookReceiver()
  const { sale } = await aDealer(receiver)
  for (const consents of [true, false]) await signWithWish(await sale('sellerSigned'), consents)
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

// R-deals-74
describe('a delivery is repeated under the same id', () => {
  const contentsOf = ({ received }: WebhookReceiver) =>
    new Set(received.map(({ id, body }) => `${id} ${body}`))

  test('after an outage of ten minutes, with the events of two deals in order', async () => {
    const place = await startWebhookReceiver(undefined, { stays: true })
    await place.close()
    const { sale: sell } = await aDealer(place)
    const sales = [await sell(), await sell()]
    for (const minutes of [0, 1, 3, 10]) await deliverAfter(`${minutes} minutes`)
    const receiver = await startWebhookReceiver(undefined, { port: place.port })
    await deliverAfter('40 minutes')
    expect([contentsOf(receiver).size, receiver.received.length]).toEqual([2, 2])
    for (const sale of sales) {
      const [delivery] = await deliveriesOf(sale)
      expect(delivery?.state).toBe('DELIVERED')
      expect(delivery?.tries.length).toBeGreaterThan(3)
      expect(delivery?.tries.at(-1)?.because).toBe('nobody listens')
      expect(receiver.received.map(({ id }) => id)).toContain(`msg_${delivery?._id}`)
    }
  })

  test('with signatures of the old and the new key during a key change', async () => {
    const [old, fresh] = [createDealerKey(), createDealerKey()]
    const receiver = await startWebhookReceiver()
    const { sale } = await aDealer(receiver, { webhookSecrets: `${old} ${fresh}` })
    await sale()
    await deliver()
    const [{ body, headers } = { body: '', headers: {} }] = receiver.received
    for (const one of [old, fresh])
      expect(new Webhook(one).verify(body, headers as never)).toMatchObject({ type: 'deal.passed' })
    expect(() => new Webhook(key).verify(body, headers as never)).toThrow()
  })

  test('when it was accepted but the process died before recording it', async () => {
    const receiver = await startWebhookReceiver()
    const dealId = await dealIdOf(await (await aDealer(receiver)).sale())
    await deliver()
    // The state after a process was killed between the response and the commit.
    await server.query(`update deliveries set state = 'WAITING', ended_at = null where deal_id = $1`, [
      dealId,
    ])
    const job = [`deliver ${dealId}`, JSON.stringify({ dealId })]
    await server.query(`insert into jobs (name, key, payload) values ('deliver-deal', $1, $2)`, job)
    await deliver()
    expect([contentsOf(receiver).size, receiver.received.length]).toEqual([1, 2])
  })
})

// R-deals-74
test('parks a delivery and the following ones after three days, notifies the administrator, and can send them again', async () => {
  const dealer = { isUp: false }
  const receiver = await startWebhookReceiver(respondIfUp(dealer))
  const { sale: sell, area } = await aDealer(receiver)
  const sale = await sell('sellerSigned')
  await signWithWish(sale, true)
  await deliver()
  for (const [later, state] of [
    ['71 hours', 'WAITING'],
    ['73 hours', 'PARKED'],
  ] as const) {
    await deliverAfter(later)
    expect(await statesOf(sale)).toEqual([state, state])
  }
  expect((await administrator.ask(listDealers)).find(({ areas }) => areas[0] === area)?.parked).toBe(2)
  const subjects = (await readEmailsTo(server, 'operator@example.com')).map(({ subject }) => subject)
  expect(subjects).toContain(`A deal did not reach Dealer ${area}`)
  const tries = receiver.received.length
  await deliver()
  expect(receiver.received.length).toBe(tries)
  dealer.isUp = true
  for (const { _id } of (await deliveriesOf(sale)).reverse())
    await administrator.ask(replayDelivery, { params: { deliveryId: _id } })
  await deliver()
  const sent = receiver.received.slice(tries).map(({ body }) => JSON.parse(body).type)
  expect(sent).toEqual(['deal.passed', 'deal.financing'])
  expect(await statesOf(sale)).toEqual(['DELIVERED', 'DELIVERED'])
})

// R-deals-74
test('counts the three days from the first attempt', async () => {
  const receiver = await startWebhookReceiver(respondIfUp({ isUp: false }))
  const sale = await (await aDealer(receiver)).sale()
  await server.query(
    `update deliveries set created_at = created_at - interval '4 days', give_up_at = give_up_at - interval '4 days' where deal_id = $1`,
    [await dealIdOf(sale)],
  )
  for (const [later, state] of [
    ['0 hours', 'WAITING'],
    ['71 hours', 'WAITING'],
    ['73 hours', 'PARKED'],
  ] as const) {
    await deliverAfter(later)
    expect(await statesOf(sale)).toEqual([state])
  }
})

/** A server whose rendering queue is full. */
const busy = { deps: { ...server.deps, printer: { print: () => Promise.reject(apiErrors.Unavailable()) } } }

// R-deals-74
test('attempts a delivery once before parking it when its agreement could not be rendered for three days', async () => {
  const sale = await (await aDealer(await startWebhookReceiver())).sale()
  // A failure to render does not count as an attempt, neither after earlier attempts nor before the
  // first one.
  for (const [tries, later] of [[3, '1 hour'] as const, [0, '73 hours'] as const]) {
    await server.query('update deliveries set tries = $2 where deal_id = $1', [await dealIdOf(sale), tries])
    await deliverAfter(later, () => deliver(busy))
    expect(await deliveriesOf(sale)).toMatchObject([{ state: 'WAITING', tries: [] }])
  }
  await deliverAfter('74 hours')
  expect(await statesOf(sale)).toEqual(['DELIVERED'])
})

// R-deals-74
test('retries soon while the agreement waits in the rendering queue, even after many attempts', async () => {
  const sale = await (await aDealer(await startWebhookReceiver())).sale()
  const dealId = await dealIdOf(sale)
  for (let times = 1; times <= 6; times++) {
    await server.moveClock(`${times} minutes`)
    await deliver(busy)
    const [job] = await server.query<{ attempts: number; seconds: number }>(
      `select attempts, extract(epoch from run_at - keyturn_now())::float8 as seconds from jobs
        where name = 'deliver-deal' and payload ->> 'dealId' = $1`,
      [dealId],
    )
    expect([times, job?.attempts]).toEqual([times, times])
    expect(job?.seconds).toBeLessThanOrEqual(30)
  }
  await deliverAfter('7 minutes')
  expect(await statesOf(sale)).toEqual(['DELIVERED'])
})

// R-deals-81
test('publishes each delivery state to both parties’ pages', async () => {
  const dealer = { isUp: false }
  const sale = await (await aDealer(await startWebhookReceiver(respondIfUp(dealer)))).sale()
  const read = async (state: string) => {
    for (const side of [sale.seller, sale.buyer])
      expect((await side.ask(getProgress, { params: sale.at })).delivery).toBe(state)
  }
  const signals = await listenForSignals(sale)
  await deliver()
  await read('WAITING')
  await deliverAfter('73 hours', () => signals.after(deliver))
  await read('PARKED')
  dealer.isUp = true
  const [delivery] = await deliveriesOf(sale)
  const again = () => administrator.ask(replayDelivery, { params: { deliveryId: delivery?._id ?? '' } })
  await signals.after(again)
  const acts = await server.query(
    `select person_id as id from admin_events where act = 'replayedDelivery' and subject = $1`,
    [delivery?._id],
  )
  expect(acts).toEqual([{ id: sale.seller.id }, { id: sale.buyer.id }])
  await read('WAITING')
  await signals.after(deliver)
  await read('DELIVERED')
  // A replay does not reset the state.
  await again()
  await read('DELIVERED')
})

/** Waits for a signal to the open pages of both parties. */
async function listenForSignals({ seller, buyer }: Sale) {
  const client = await server.deps.pool.connect()
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

test('does not delay other dealers’ deals when one dealer hangs', async () => {
  const hanging = await startWebhookReceiver(() => {})
  const receiver = await startWebhookReceiver()
  const stuck = await aDealer(hanging)
  const sale = await (await aDealer(receiver)).sale()
  const task = saleTasks(server.deps)['deliver-deal']
  const deals = await Promise.all(Array.from({ length: 8 }, () => stuck.sale()))
  const ids = await Promise.all(deals.map(dealIdOf))
  const about = { attempts: 1, stopping: new AbortController().signal }
  const outcomes = ids.map((dealId) => task?.run({ dealId }, about))
  expect(await Promise.race(outcomes)).toMatchObject({ againInMs: 1000 })
  // Deliveries that wait for a slot retry less and less often.
  for (const [attempts, againInMs] of [[9, 9000] as const, [500, 30_000] as const])
    expect(await task?.run({ dealId: ids[7] }, { ...about, attempts })).toEqual({ againInMs })
  await task?.run({ dealId: await dealIdOf(sale) }, about)
  expect(receiver.received.length).toBe(1)
  expect(hanging.received.length).toBeLessThanOrEqual(5)
})

test('sends a test once and without delay, and lists it', async () => {
  const receiver = await startWebhookReceiver((response, _, count) =>
    response.writeHead(count === 1 ? 200 : 500).end(),
  )
  const { dealer } = await aDealer(receiver)
  const send = () => administrator.ask(testDealer, { params: { dealerId: dealer._id } })
  const delivered = { kind: 'test', pkgId: null, state: 'DELIVERED', tries: [{ status: 200 }] }
  expect(await send()).toMatchObject(delivered)
  const failed = await send()
  expect(failed).toMatchObject({ state: 'PARKED', tries: [{ status: 500, because: 'answered' }] })
  await deliver()
  expect(receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual(['test', 'test'])
  const again = await administrator.send(replayDelivery, { params: { deliveryId: failed._id } })
  expect(again.status).toBe(404)
})

// R-deals-74
describe('for a dealer without a system', () => {
  /** A sale whose dealer has only an email address; its emails are sent. */
  async function aMailedSale(answer?: () => number) {
    const receiver = await startSmtpReceiver(answer ? { answer } : {})
    const mailServer = await startTestServer({ SMTP_URL: receiver.url, DEALER_EMAIL: 'deals@dealer.example' })
    const pkgId = await readPackageIdOf(await aSaleAt(mailServer, 'passed'))
    const operator = await anAdministrator(mailServer)
    expect(await operator.ask(listDeliveries)).toMatchObject([{ way: 'mail', state: 'WAITING', pkgId }])
    const mail = createEmailTasks(mailServer.deps, {
      agreement: agreementAttachments(mailServer.deps),
      delivery: dealerAttachments(mailServer.deps),
    })
    await runDueJobs(mailServer.deps, mail.tasks)
    mail.close()
    return { receiver, pkgId, deliveries: await operator.ask(listDeliveries) }
  }

  test('emails the package and the signed agreement and records the outcome', async () => {
    const { receiver, pkgId, deliveries } = await aMailedSale()
    const mail = receiver.received.find(({ to }) => to === 'deals@dealer.example')?.body ?? ''
    for (const file of [`package-${pkgId}.json`, `agreement-${pkgId}.pdf`]) expect(mail).toContain(file)
    const json = JSON.parse(attachmentOf(mail, 'application/json').toString())
    expect(deliveredPackage2.parse(json)).toMatchObject({ pkgId })
    expect(attachmentOf(mail, 'application/pdf').toString('latin1', 0, 5)).toBe('%PDF-')
    expect(deliveries).toMatchObject([{ state: 'DELIVERED', tries: [{ because: null }] }])
  })

  test('parks an email that its mail server rejects permanently', async () => {
    expect((await aMailedSale(() => 550)).deliveries).toMatchObject([{ state: 'PARKED' }])
  })
})

test('parks a deal without a destination until the administrator sends it', async () => {
  const receiver = await startWebhookReceiver()
  const { dealer, form, sale: sell } = await aDealer(receiver, { webhookUrl: '', webhookSecrets: '' })
  const [parked] = await deliveriesOf(await sell())
  expect(parked).toMatchObject({ state: 'PARKED', tries: [] })
  await administrator.ask(editDealer, { params: { dealerId: dealer._id }, body: form })
  await administrator.ask(replayDelivery, { params: { deliveryId: parked?._id ?? '' } })
  await deliver()
  expect(receiver.received.map(({ id }) => id)).toEqual([`msg_${parked?._id}`])
})

/** The first part of this type in an email with base64 parts. */
function attachmentOf(mail: string, type: string): Buffer {
  const part = mail.slice(mail.indexOf(`Content-Type: ${type}`))
  const [, content = ''] = /\r?\n\r?\n([\s\S]*?)\r?\n--/.exec(part) ?? []
  return Buffer.from(content, 'base64')
}
