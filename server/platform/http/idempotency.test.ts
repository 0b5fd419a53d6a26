import * as accounts from '@keyturn/contract/accounts/endpoints.ts'
import { claimCar } from '@keyturn/contract/cars/claims.ts'
import * as cars from '@keyturn/contract/cars/endpoints.ts'
import * as deals from '@keyturn/contract/deals/endpoints.ts'
import { allEndpoints } from '@keyturn/contract/endpoints.ts'
import * as messages from '@keyturn/contract/messages/endpoints.ts'
import { defineEndpoint, type Endpoint } from '@keyturn/contract/shared/endpoint.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import * as trades from '@keyturn/contract/trades/endpoints.ts'
import fastify, { type FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import type { Browser, SentRequest, WireInput } from '../../../tests/support/browser.ts'
import { aRegistration } from '../../../tests/support/http/visitors.ts'
import { aBuyer, anAdministrator, aSeller, aWholesaler } from '../../../tests/support/people.ts'
import { addPhoto, addPhotoOfTrade } from '../../../tests/support/pictures.ts'
import { propose } from '../../../tests/support/sales/deal-moves.ts'
import {
  aCarForm,
  aListing,
  aSaleAt,
  buyerSignature,
  readProgressOf,
  sellerSignature,
  step,
} from '../../../tests/support/sales/deals.ts'
import { waitForLockWait } from '../../../tests/support/second-session.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { aTrade, aTradeForm, statusAndCode } from '../../../tests/support/trades.ts'
import { type Intent, transaction } from '../database/open-database.ts'
import { createReadRouter } from '../database/standbys/route-reads.ts'
import { createErrorHandler } from './error-handlers.ts'
import { createIdempotency } from './idempotency.ts'
import { registerEndpoint } from './register-endpoint.ts'

const server = await startTestServer()

type Sending = { who: Browser; input: WireInput; status?: number }
/** A caller of each endpoint, with valid input. */
const sendings: Record<string, () => Promise<Sending>> = {
  [accounts.register.name]: async () => ({
    who: server.browser(),
    input: { body: aRegistration() },
    status: 201,
  }),
  [cars.addCar.name]: async () => ({ who: await aSeller(server), input: { body: aCarForm() }, status: 201 }),
  [trades.addTrade.name]: async () => ({
    who: await aBuyer(server),
    input: { body: aTradeForm() },
    status: 201,
  }),
  [trades.moveTrade.name]: async () => {
    const { _id } = await aTrade(await aBuyer(server))
    const input = { params: { tradeId: _id }, body: { status: 'OFFERED', price: 20_000 } }
    return { who: await aWholesaler(server), input }
  },
  [trades.deleteTrade.name]: async () => {
    const who = await aBuyer(server)
    const { vin } = await aTrade(who)
    return { who, input: { params: { vin } } }
  },
  [deals.startProgress.name]: async () => {
    const { at } = await aListing(server)
    return { who: await aBuyer(server), input: { body: at } }
  },
  [deals.updateProgress.name]: async () => {
    const { buyer, at } = await aSaleAt(server, 'sellerSigned')
    return { who: buyer, input: { body: { ...at, data: buyerSignature() } } }
  },
  [deals.requestCar.name]: async () => {
    const { buyer, at, car } = await aSaleAt(server, 'started')
    await step(buyer, at, { step: [0, 1, 2, 3], hasTrade: false })
    await step(buyer, at, { step: [0, 1, 2, 3, 4, 5], needsFinancing: false })
    const body = { vin: car.vin, price: 9000, sellerId: at.userId, trades: [] }
    return { who: buyer, input: { body }, status: 201 }
  },
  [deals.decideRequest.name]: async () => {
    const { seller, buyer, at } = await aSaleAt(server, 'requested')
    return { who: seller, input: { body: { ...at, buyerId: buyer.id, status: 'ACCEPTED' } } }
  },
  [deals.proposePrice.name]: async () => {
    const { seller, buyer, at } = await aSaleAt(server, 'requested')
    return { who: seller, input: { body: { ...at, buyerId: buyer.id, price: 9200 } } }
  },
  [deals.answerProposal.name]: async () => {
    const sale = await aSaleAt(server, 'requested')
    await propose(sale, 9200)
    return { who: sale.buyer, input: { body: { ...sale.at, price: 9200, status: 'ACCEPTED' } } }
  },
  [messages.sendMessage.name]: async () => {
    const sale = await aSaleAt(server, 'requested')
    const params = { dealId: (await readProgressOf(sale))._id }
    return { who: sale.buyer, input: { params, body: { text: 'Hello' } }, status: 201 }
  },
  [messages.reportMessage.name]: async () => {
    const sale = await aSaleAt(server, 'requested')
    const params = { dealId: (await readProgressOf(sale))._id }
    const { _id } = await sale.buyer.ask(messages.sendMessage, { params, body: { text: 'Hello' } })
    return { who: sale.seller, input: { params: { ...params, messageId: _id }, body: { reason: 'Spam' } } }
  },
  [cars.editCar.name]: () => ofListing(({ vin }) => ({ body: { vin, color: 'Green' } })),
  [claimCar.name]: async () => {
    const { car } = await aListing(server)
    const { price, ...facts } = aCarForm({ vin: car.vin })
    return { who: await aSeller(server), input: { body: { ...facts, reason: 'The title is in my name.' } } }
  },
  [cars.describeCar.name]: () =>
    ofListing(({ _id }) => ({ params: { carId: _id }, body: { description: 'One owner.' } })),
  [cars.updatePrice.name]: () =>
    ofListing(({ _id }) => ({ params: { carId: _id }, body: { newPrice: 9100 } })),
  [deals.deleteCar.name]: async () => {
    const { seller, car } = await aListing(server)
    return { who: seller, input: { params: { userType: 'SELLER', userId: seller.id, vin: car.vin } } }
  },
  [cars.orderCarPhotos.name]: () =>
    ofCarPhoto(({ carId, photoId }) => ({ params: { carId }, body: { photoIds: [photoId] } })),
  [cars.captionCarPhoto.name]: () => ofCarPhoto((params) => ({ params, body: { caption: 'Odometer' } })),
  [cars.deleteCarPhoto.name]: () => ofCarPhoto((params) => ({ params })),
  [trades.setTradeLoan.name]: async () => {
    const who = await aBuyer(server)
    const { _id: tradeId } = await aTrade(who)
    return { who, input: { params: { tradeId }, body: { payoff: true, payoffAmount: 900, lender: 'Chase' } } }
  },
  [trades.orderTradePhotos.name]: () =>
    ofTradePhoto(({ tradeId, photoId }) => ({ params: { tradeId }, body: { photoIds: [photoId] } })),
  [trades.captionTradePhoto.name]: () =>
    ofTradePhoto((params) => ({ params, body: { caption: 'Odometer' } })),
  [trades.deleteTradePhoto.name]: () => ofTradePhoto((params) => ({ params })),
  [deals.completeDeal.name]: async () => {
    const { pkgId } = await readProgressOf(await aSaleAt(server, 'passed'))
    return { who: await anAdministrator(server), input: { params: { pkgId: pkgId ?? '' } } }
  },
}

async function ofListing(inputOf: (car: cars.Car) => WireInput): Promise<Sending> {
  const { seller, car } = await aListing(server)
  return { who: seller, input: inputOf(car) }
}

async function ofCarPhoto(inputOf: (ids: { carId: string; photoId: string }) => WireInput): Promise<Sending> {
  const { seller, car } = await aListing(server)
  const { photo } = (await addPhoto(seller, car)).answer
  return { who: seller, input: inputOf({ carId: car._id, photoId: photo.id }) }
}

async function ofTradePhoto(
  inputOf: (ids: { tradeId: string; photoId: string }) => WireInput,
): Promise<Sending> {
  const who = await aBuyer(server)
  const trade = await aTrade(who)
  const { photo } = (await addPhotoOfTrade(who, trade)).answer
  return { who, input: inputOf({ tradeId: trade._id, photoId: photo.id }) }
}

const replayed = ({ status, headers, body }: SentRequest<Endpoint>) => [
  status,
  headers['idempotent-replayed'],
  body,
]
const reused = [422, 'IdempotencyKeyReused']
const inFlight = [409, 'IdempotencyInFlight']

const onceCalls = allEndpoints.filter(({ isIdempotent }) => isIdempotent)

test.each(onceCalls)(
  '$name: stores its response with its change, and replays it',
  async (asked: Endpoint) => {
    const sending = sendings[asked.name]
    if (!sending) throw new Error(`${asked.name} takes an Idempotency-Key and is not sent here`)
    const { who, input, status = 200 } = await sending()
    const key = aKey()
    await oneTransaction(async () => {
      const first = await who.send(asked, input, key)
      expect(replayed(first)).toEqual([status, undefined, first.body])
      expect(replayed(await who.send(asked, input, key))).toEqual([status, 'true', first.body])
    }, key)
  },
)

test('rolls back a change whose response cannot be stored, and makes it when retried', async () => {
  const seller = await aSeller(server)
  const car = aCarForm()
  const key = aKey()
  await server.query(`create function refuse_answers() returns trigger language plpgsql as
    $$ begin raise exception 'the disk is full'; end $$`)
  await server.query(`create trigger no_answers before insert on idempotency_keys
    for each row execute function refuse_answers()`)
  try {
    expect((await seller.send(cars.addCar, { body: car }, key)).status).toBe(500)
  } finally {
    await server.query('drop trigger no_answers on idempotency_keys')
  }
  expect(await server.query('select id from cars where vin = $1', [car.vin])).toEqual([])
  const again = await seller.send(cars.addCar, { body: car }, key)
  expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, undefined])
})

// R-everywhere-10
test('rejects a key that is reused with another body', async () => {
  const seller = await aSeller(server)
  const key = aKey()
  expect((await seller.send(cars.addCar, { body: aCarForm() }, key)).status).toBe(201)
  expect(await statusAndCode(seller.send(cars.addCar, { body: aCarForm() }, key))).toEqual(reused)
})

test('rejects a key that is reused for another endpoint or row', async () => {
  const { seller, car } = await aListing(server)
  const { car: other } = await aListing(server, {}, seller)
  const key = aKey()
  const body = { newPrice: 9100 }
  expect((await seller.send(cars.updatePrice, { params: { carId: car._id }, body }, key)).status).toBe(200)
  const ofOther = seller.send(cars.updatePrice, { params: { carId: other._id }, body }, key)
  expect(await statusAndCode(ofOther)).toEqual(reused)
  const edited = { ...body, vin: car.vin, color: 'Green' }
  expect(await statusAndCode(seller.send(cars.editCar, { body: edited }, key))).toEqual(reused)
})

// R-everywhere-10
test('treats the same key from two users as two keys', async () => {
  const [one, other] = await Promise.all([aBuyer(server), aBuyer(server)])
  const body = aTradeForm()
  const key = aKey()
  const first = await one.send(trades.addTrade, { body }, key)
  const second = await other.send(trades.addTrade, { body }, key)
  expect([first.status, second.status, second.headers['idempotent-replayed']]).toEqual([201, 201, undefined])
  expect([first.answer.buyerId, second.answer.buyerId]).toEqual([one.id, other.id])
})

test('returns IdempotencyInFlight while the first request is running, and its response afterwards', async () => {
  const seller = await aSeller(server)
  const car = aCarForm()
  const key = aKey()
  const holder = await aConnection()
  await holder.query('begin; lock table cars in share mode')
  const first = seller.send(cars.addCar, { body: car }, key)
  await waitForLockWait(server)
  expect(await statusAndCode(seller.send(cars.addCar, { body: car }, key))).toEqual(inFlight)
  await holder.query('rollback')
  const { status, body } = await first
  expect(status).toBe(201)
  expect(replayed(await seller.send(cars.addCar, { body: car }, key))).toEqual([201, 'true', body])
})

// R-safe-10, R-everywhere-10
test('makes one change for concurrent requests with one key, and replays the first response', async () => {
  const owner = await aBuyer(server)
  for (let round = 0; round < 20; round++) {
    const body = aTradeForm()
    const key = aKey()
    const sent = await Promise.all(
      Array.from({ length: 5 }, () => owner.send(trades.addTrade, { body }, key)),
    )
    const done = sent.filter(({ status }) => status === 201)
    expect(done.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1)
    expect(new Set(done.map((one) => one.body)).size).toBe(1)
    for (const one of sent.filter(({ status }) => status !== 201))
      expect([one.status, one.error.errorCode]).toEqual(inFlight)
    expect(await server.query('select id from trades where vin = $1', [body.vin])).toHaveLength(1)
  }
})

test('rolls back, and replays the stored response, when another request stored one in the meantime', async () => {
  const { seller, car } = await aListing(server)
  const input = { body: aCarForm({ vin: car.vin }) }
  const [before, key] = [aKey(), aKey()]
  await seller.ask(deals.deleteCar, { params: { userType: 'SELLER', userId: seller.id, vin: car.vin } })
  const first = await seller.send(cars.addCar, input, before)
  await seller.ask(deals.deleteCar, { params: { userType: 'SELLER', userId: seller.id, vin: car.vin } })
  const holder = await aConnection()
  await holder.query('begin; lock table cars in share mode')
  const sent = seller.send(cars.addCar, input, key)
  await waitForLockWait(server)
  await server.query(
    `insert into idempotency_keys (owner, key, route, body_hash, status, answer)
     select owner, $2, route, body_hash, status, answer from idempotency_keys where key = $1`,
    [before['idempotency-key'], key['idempotency-key']],
  )
  await holder.query('rollback')
  expect(replayed(await sent)).toEqual([201, 'true', first.body])
  const live = await server.query('select id from cars where vin = $1 and deleted_at is null', [car.vin])
  expect(live).toEqual([])
})

test('does not store an error under the key of a change in progress', async () => {
  const { seller, buyer, at, car } = await aSaleAt(server, 'confirmed')
  const input = { body: { ...at, data: sellerSignature() } }
  const key = aKey()
  const holder = await aConnection()
  await holder.query('begin')
  await holder.query('select from cars where id = $1 for update', [car._id])
  const signing = seller.send(deals.updateProgress, input, key)
  await waitForLockWait(server)
  // An older sign-in makes the second request fail: signing asks for the password again.
  await server.query(
    `update sessions set signed_in_at = signed_in_at - interval '1 day' where user_id = $1`,
    [seller.id],
  )
  expect(await statusAndCode(seller.send(deals.updateProgress, input, key))).toEqual(inFlight)
  await holder.query('rollback')
  const signed = await signing
  expect(signed.status).toBe(200)
  expect((await seller.send(deals.updateProgress, input, key)).body).toBe(signed.body)
  expect((await buyer.ask(deals.getProgress, { params: at })).sellerSigned).toBe(true)
})

test('stores and replays an error', async () => {
  const { seller, car } = await aListing(server)
  const key = aKey()
  const list = () => seller.send(cars.addCar, { body: aCarForm({ vin: car.vin }) }, key)
  const first = await list()
  expect([first.status, first.error.errorCode]).toEqual([409, 'VinAlreadyListed'])
  await seller.ask(deals.deleteCar, { params: { userType: 'SELLER', userId: seller.id, vin: car.vin } })
  expect(replayed(await list())).toEqual([409, 'true', first.body])
})

test('stores an error together with the email that it queued, so that a retry queues no second email', async () => {
  const owner = await aSeller(server)
  await server.query(`update users set created_at = created_at - interval '1 hour' where id = $1`, [owner.id])
  const input = { body: aRegistration({ email: owner.email }) }
  const key = aKey()
  const first = await server.browser().send(accounts.register, input, key)
  const again = await server.browser().send(accounts.register, input, key)
  expect(first.error.errorCode).toBe('RegistrationFailed')
  expect(replayed(again)).toEqual([first.status, 'true', first.body])
  const written = await server.query(
    `select mails.xmin from mails join idempotency_keys on idempotency_keys.xmin = mails.xmin where recipient = $1`,
    [owner.email],
  )
  expect(written).toHaveLength(1)
})

/** A server whose endpoints misuse their intent. */
async function aCarelessServer() {
  const lines: string[] = []
  const loggerInstance: FastifyBaseLogger = pino(
    { level: 'error' },
    { write: (line: string) => void lines.push(line) },
  )
  const app = fastify({ loggerInstance })
  app.setErrorHandler(createErrorHandler(server.deps.onApiError))
  const findSessions = async () => ({ user: null, administrator: null })
  const http = {
    app,
    findSessions,
    checkRateLimit: () => undefined,
    adminAuditLog: { admit: () => undefined, finish: async () => undefined },
    runRead: createReadRouter({ ...server.deps, standbys: null }),
    runOnce: createIdempotency(server.deps),
  }
  const shapes = { callers: ['anyone'], response: z.object({ ok: z.boolean() }), isIdempotent: true } as const
  const change = (intent: Intent | undefined) =>
    transaction({ ...server.deps, intent }, async () => ({ ok: true }))
  registerEndpoint(http, defineEndpoint('POST /regretted', shapes), async ({ intent }) => {
    await change(intent)
    throw apiErrors.BadRequest()
  })
  registerEndpoint(http, defineEndpoint('POST /twice', shapes), async ({ intent }) => {
    await change(intent)
    return change(intent)
  })
  onTestFinished(() => app.close())
  const post = (url: string) => app.inject({ method: 'POST', url, headers: aKey() })
  return { post, lines }
}

test('returns an error thrown after the change instead of the stored response', async () => {
  const { post } = await aCarelessServer()
  const refused = await post('/regretted')
  expect([refused.statusCode, refused.headers['idempotent-replayed']]).toEqual([400, undefined])
})

test('does not begin a second transaction for one intent, and logs the reason', async () => {
  const { post, lines } = await aCarelessServer()
  expect((await post('/twice')).statusCode).toBe(500)
  expect(lines.join()).toContain('a second transaction with the same intent')
})

let keys = 0
const aKey = () => ({ 'idempotency-key': `intent-${++keys}` })

/** Expects that the response of this key was written by the transaction of the change. */
async function oneTransaction(act: () => Promise<void>, key: { 'idempotency-key': string }): Promise<void> {
  const [before] = await server.query<{ id: string }>('select pg_current_xact_id()::text as id')
  await act()
  const written = await server.query<{ xmin: string }>(
    `select xmin::text from idempotency_keys where key = $1
     union select xmin::text from cars where xmin::text::bigint > $2::bigint
     union select xmin::text from trades where xmin::text::bigint > $2::bigint
     union select xmin::text from deals where xmin::text::bigint > $2::bigint
     union select xmin::text from users where xmin::text::bigint > $2::bigint`,
    [key['idempotency-key'], before?.id],
  )
  expect(written).toHaveLength(1)
}

async function aConnection(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: server.databaseUrl })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}
