import { dealerEvent } from '@keyturn/contract/dealers/dealer-api.ts'
import * as calls from '@keyturn/contract/dealers/dealer-desk.ts'
import { addDealer, listDealers, listDeliveries, testDealer } from '@keyturn/contract/dealers/endpoints.ts'
import { completeDeal, readPackageId, readTimeline } from '@keyturn/contract/deals/endpoints.ts'
import { expect, test } from 'vitest'
import { createDealerClient, createDealerKey } from '../../../../tests/support/dealers/dealer-client.ts'
import { anAdministrator } from '../../../../tests/support/people.ts'
import { aSaleAt, type Sale } from '../../../../tests/support/sales/deals.ts'
import { recordSecret } from '../../../../tests/support/secrets.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'
import { runDueJobs } from '../../../platform/jobs/jobs.ts'
import { saleTasks } from '../../../tasks.ts'
import { encodeEvent } from '../webhook-delivery/package-payload.ts'
import { createDesk } from './desk.ts'

// Calls of the desk's page. Deals reach the desk by HTTP on this machine.

const server = await startTestServer()
const desk = createDesk(server.deps.config)
if (!desk) throw new Error('There is no desk')
recordSecret(desk.key)
server.deps.desk = desk
await server.app.listen({ host: '127.0.0.1', port: 0 })
const administrator = await anAdministrator(server)

const doJobs = () => runDueJobs(server.deps, saleTasks(server.deps))
const pending = () => administrator.ask(calls.listDeskDeals)
const done = () => administrator.ask(calls.listDeskDeals, { query: { list: 'done' } })
const open = (pkgId: string) => administrator.ask(calls.readDeskDeal, { params: { pkgId } })
const report = (pkgId: string, step: object, headers?: Record<string, string>) =>
  administrator.send(calls.answerFromDesk, { params: { pkgId }, body: { pkgId, ...step } }, headers)

async function aPassedDeal(): Promise<Sale & { pkgId: string }> {
  const sale = await aSaleAt(server, 'passed')
  await doJobs()
  const { pkgId } = await sale.seller.ask(readPackageId, { params: sale.at })
  return { ...sale, pkgId }
}

const eventsOf = async ({ buyer, at }: Sale) =>
  (await buyer.ask(readTimeline, { params: at })).map(({ event }) => event)

// R-deals-77
test('lists deals that both have signed, the oldest first', async () => {
  const [first, second] = [await aPassedDeal(), await aPassedDeal()]
  const deals = await pending()
  expect(deals.map(({ _id }) => _id)).toEqual([first.pkgId, second.pkgId])
  expect(deals[0]).toMatchObject({ car: '2003 Honda Accord EX', vin: first.car.vin, step: null })
  expect(await administrator.ask(calls.readDesk)).toEqual({ isOn: true, dealer: 'AutoNation' })
  const page = await administrator.send(calls.listDeskDeals, { query: { limit: 1 } })
  const cursor = /cursor=([^&>]+)/.exec(String(page.headers.link))?.[1] ?? ''
  const next = await administrator.ask(calls.listDeskDeals, { query: { limit: 1, cursor } })
  expect(next.map(({ _id }) => _id)).toEqual([second.pkgId])
})

// R-deals-77
test('shows each step from the desk on both parties’ timelines, up to the title', async () => {
  const sale = await aPassedDeal()
  const { pkgId } = sale
  expect(await report(pkgId, { step: 'paidSeller' })).toMatchObject({ status: 409 })
  const appointment = { place: '100 Main Street', time: '2026-11-25T15:00:00-05:00' }
  const steps = [
    { step: 'accepted' },
    { step: 'needsDocument', document: 'The second key, please.' },
    { step: 'appointment', ...appointment },
    { step: 'paidSeller' },
    { step: 'titleReceived' },
    { step: 'complete' },
  ]
  for (const one of steps) expect(await report(pkgId, one)).toMatchObject({ status: 200 })
  const recorded = 'completed titleReceived sellerPaid appointmentMade documentNeeded dealerAccepted'
  expect((await eventsOf(sale)).slice(0, 6)).toEqual(recorded.split(' '))
  expect((await pending()).map(({ _id }) => _id)).not.toContain(pkgId)
  expect((await done())[0]).toMatchObject({ _id: pkgId, step: 'complete' })
  const acts = await server.query(
    `select person_id as id from admin_events where act = 'actedAtDesk' and subject = $1 and after ->> 'step' = 'accepted'`,
    [pkgId],
  )
  expect(acts).toEqual([{ id: sale.seller.id }, { id: sale.buyer.id }])
  const opened = await open(pkgId)
  expect(opened.deal).toMatchObject({ completed: true, cancelled: false })
  expect(opened.deal.steps[2]).toMatchObject(appointment)
})

test('serves the package and the signed agreement, as for any dealer', async () => {
  const { pkgId, car } = await aPassedDeal()
  const opened = await open(pkgId)
  expect(opened.package).toMatchObject({ pkgId, deal: { car: { vin: car.vin } } })
  const pdf = await administrator.send(calls.readDeskAgreement, { params: { pkgId } })
  expect(pdf.body.slice(0, 5)).toBe('%PDF-')
})

test('returns 404 for a deal that has not been delivered to the desk yet', async () => {
  const sale = await aSaleAt(server, 'passed')
  const { pkgId } = await sale.seller.ask(readPackageId, { params: sale.at })
  for (const call of [calls.readDeskDeal, calls.readDeskAgreement])
    expect((await administrator.send(call, { params: { pkgId } })).status).toBe(404)
  expect((await report(pkgId, { step: 'accepted' })).status).toBe(404)
  expect(await eventsOf(sale)).not.toContain('dealerAccepted')
  await doJobs()
})

test('rejects a step whose body and path name different deals', async () => {
  const [sale, other] = [await aPassedDeal(), await aPassedDeal()]
  const sent = await report(sale.pkgId, { pkgId: other.pkgId, step: 'accepted' })
  expect(sent.error.errors).toMatchObject([{ path: 'pkgId' }])
  for (const one of [sale, other]) expect(await eventsOf(one)).not.toContain('dealerAccepted')
})

test('ends a deal that the desk cancels and fills a page of finished deals', async () => {
  const { pkgId } = await aPassedDeal()
  await report(pkgId, { step: 'cancelled', reason: 'The title has a lien that nobody named.' })
  await aPassedDeal()
  const page = await administrator.ask(calls.listDeskDeals, { query: { list: 'done', limit: 1 } })
  expect(page).toMatchObject([{ _id: pkgId, step: 'cancelled' }])
  expect((await open(pkgId)).deal.cancelled).toBe(true)
})

test('records a step once when it is repeated after a lost response', async () => {
  const sale = await aPassedDeal()
  const once = { 'idempotency-key': 'lost-answer-1' }
  await report(sale.pkgId, { step: 'accepted' })
  const document = { step: 'needsDocument', document: 'The loan number.' }
  expect(await report(sale.pkgId, document, once)).toMatchObject({ status: 200 })
  expect(await report(sale.pkgId, document, once)).toMatchObject({ status: 200 })
  expect((await eventsOf(sale)).filter((event) => event === 'documentNeeded')).toHaveLength(1)
  const other = { step: 'needsDocument', document: 'The second key.' }
  expect((await report(sale.pkgId, other, once)).error.errorCode).toBe('IdempotencyKeyReused')
})

test('removes a deal from the pending list after the administrator has completed it elsewhere', async () => {
  const { pkgId } = await aPassedDeal()
  await administrator.ask(completeDeal, { params: { pkgId } })
  expect((await pending()).map(({ _id }) => _id)).not.toContain(pkgId)
  expect((await done()).map(({ _id }) => _id)).toContain(pkgId)
})

// R-deals-77
test('rejects an unsigned or wrongly signed delivery, and ignores a repeated one', async () => {
  const { pkgId } = await aPassedDeal()
  const { package: found } = await open(pkgId)
  const passed = encodeEvent({ type: 'deal.passed', timestamp: new Date().toISOString(), data: found })
  const event = dealerEvent.encode(dealerEvent.parse(JSON.parse(passed)))
  const other = { ...event, data: { ...(event.data as object), pkgId: 'f'.repeat(24) } }
  const count = async () => (await pending()).length
  const before = await count()
  const unsigned = server.browser()
  const stranger = createDealerClient(unsigned, createDealerKey())
  const signed = createDealerClient(unsigned, desk.key)
  const refusals = [
    await unsigned.send(calls.deliverToDesk, { body: other }),
    await stranger.send(calls.deliverToDesk, { body: other }),
    await signed.send(calls.deliverToDesk, { body: other }, { signedBody: JSON.stringify(event) }),
    await signed.send(calls.deliverToDesk, { body: other }, { at: new Date(Date.now() - 400_000) }),
  ]
  for (const refused of refusals) expect(refused.error.errorCode).toBe('InvalidSignature')
  expect(await signed.send(calls.deliverToDesk, { body: event })).toMatchObject({ status: 200 })
  expect(await count()).toBe(before)
})

test('allows local delivery only to the built-in desk, and never returns its key', async () => {
  const dealer = await administrator.ask(addDealer, {
    body: { name: 'Local Cars', webhookUrl: `https://127.0.0.1:1/`, webhookSecrets: createDealerKey() },
  })
  const tried = await administrator.ask(testDealer, { params: { dealerId: dealer._id } })
  expect(tried.tries[0]?.because).toBe('private address')
  const [byDefault] = await administrator.ask(listDealers)
  const own = await administrator.send(testDealer, { params: { dealerId: byDefault?._id ?? '' } })
  expect(own.answer.state).toBe('DELIVERED')
  const answers = [
    own,
    await administrator.send(listDealers),
    await administrator.send(listDeliveries),
    await administrator.send(calls.readDesk),
  ]
  for (const { body } of answers) expect(body).not.toContain(desk.key.slice(6))
})

test('accepts a large package only at the delivery endpoint', async () => {
  const signed = createDealerClient(server.browser(), desk.key)
  const event = (length: number) => ({
    type: 'test',
    timestamp: new Date().toISOString(),
    data: { dealer: 'x'.repeat(length) },
  })
  expect((await signed.send(calls.deliverToDesk, { body: event(200_000) })).status).toBe(200)
  expect((await signed.send(calls.deliverToDesk, { body: event(600_000) })).status).toBe(413)
  const params = { pkgId: 'e'.repeat(24) }
  const body = { pkgId: params.pkgId, step: 'needsDocument', document: 'x'.repeat(200_000) }
  expect((await administrator.send(calls.answerFromDesk, { params, body })).status).toBe(413)
})
