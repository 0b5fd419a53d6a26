import type { ServerResponse } from 'node:http'
import { changePassword, login, logout } from '@keyturn/contract/accounts/endpoints.ts'
import { setPreference } from '@keyturn/contract/notifications/preferences.ts'
import { addDevice, readDevices, removeDevice, renewDevice } from '@keyturn/contract/notifications/push.ts'
import { afterEach, expect, test } from 'vitest'
import { aBuyer, aSeller, type TestPerson } from '../../../../tests/support/people.ts'
import {
  type PushService,
  startPushService,
  type TestSubscription,
} from '../../../../tests/support/push/push-service.ts'
import {
  aRequest,
  aSaleAt,
  offerPrice,
  type Sale,
  type SaleStage,
  signAsBuyer,
  signAsSeller,
} from '../../../../tests/support/sales/deals.ts'
import { waitForLockWait } from '../../../../tests/support/second-session.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'
import { newId } from '../../../platform/database/new-id.ts'
import { transaction } from '../../../platform/database/open-database.ts'
import { runDueJobs } from '../../../platform/jobs/jobs.ts'
import { eraseFromNotifications } from '../erase-from-notifications.ts'
import { notify } from '../notify.ts'
import { pushTasks } from './push-tasks.ts'

const server = await startTestServer({
  PUSH_PRIVATE: 'allow',
  PUSH_HOSTS: '127.0.0.1,localhost,[::1]',
  VAPID_SUBJECT: 'mailto:push@keyturn.example',
})

const key = server.deps.config.push.key.publicKey
const at = (seconds: number) => server.moveClock(`${seconds} seconds`)
const forgetPushes = async () => {
  await server.query('delete from pushes')
  await server.query(`delete from jobs where name = 'send-push'`)
}
afterEach(() => at(0).then(forgetPushes))

const push = () => runDueJobs(server.deps, pushTasks(server.deps))

async function switchOn(person: TestPerson, service: PushService): Promise<TestSubscription> {
  const device = service.subscribe(key)
  const { endpoint, keys } = device
  await person.ask(addDevice, { body: { endpoint, keys } })
  return device
}

async function again(person: TestPerson): Promise<TestPerson> {
  const browser = server.browser()
  await browser.ask(login, { body: { email: person.email, password: person.password } })
  return { ...person, ...browser }
}

const waiting = () =>
  server.query<{ id: string; failed_because: string | null }>('select * from pushes order by created_at')
const devicesOf = async (person: TestPerson) => (await person.ask(readDevices)).devices
const storedFor = (...people: TestPerson[]) =>
  server.query<{ endpoint: string; failures: number }>('select * from push_devices where user_id = any($1)', [
    people.map(({ id }) => id),
  ])
const answering =
  (...statuses: number[]) =>
  (response: ServerResponse, _: unknown, count: number) =>
    response.writeHead(statuses[count - 1] ?? 201).end()
/** A sale whose seller has a device that receives pushes. */
async function aSellerTold(manners?: Parameters<typeof startPushService>[0], stage: SaleStage = 'requested') {
  const service = await startPushService(manners)
  const sale = await aSaleAt(server, stage)
  return { service, sale, seller: sale.seller, device: await switchOn(sale.seller, service) }
}

const bodiesOn = (device: TestSubscription) => device.shown().map(({ message }) => message.body)

/** Notifies both parties of an event that cannot be resolved. */
async function aDealWithNews({ buyer, seller, car }: Sale) {
  const about = { dealId: newId(), buyerId: buyer.id, sellerId: seller.id, carId: car._id, vin: car.vin }
  const facts = { car: '2003 Honda Accord', dealer: 'Bay Motors' }
  return (event: 'sellerPaid' | 'titleReceived') =>
    notify(server.deps, server.deps.db, event, { about, facts })
}

const titleSentence = 'Bay Motors has received the title of the 2003 Honda Accord.'

// R-notifications-25
test('pushes the notification’s sentence and its target, encrypted for the device', async () => {
  const { service, sale, device: phone } = await aSellerTold(undefined, 'started')
  const computer = await switchOn(await again(sale.seller), service)
  await aRequest(sale, sale.buyer, 9000)
  const [notice] = await server.query<{ id: string; message: string; deal_id: string }>(
    'select * from notifications where recipient_id = $1',
    [sale.seller.id],
  )
  await push()
  for (const device of [phone, computer])
    expect(device.shown()).toEqual([
      {
        message: {
          id: notice?.id,
          body: notice?.message,
          path: `/car/seller?${new URLSearchParams({ userId: sale.seller.id, vin: sale.car.vin })}`,
          tag: notice?.deal_id,
          at: expect.any(String),
          rings: true,
        },
        topic: notice?.deal_id,
        ttl: expect.any(Number),
        subject: 'mailto:push@keyturn.example',
      },
    ])
  const ttl = phone.shown()[0]?.ttl
  expect(ttl).toBeGreaterThan(2.9 * 86_400)
  expect(ttl).toBeLessThanOrEqual(3 * 86_400)
  expect(await waiting()).toEqual([])
  expect(service.received).toHaveLength(2)
})

test('drops a push about a deadline after the deadline', async () => {
  const service = await startPushService()
  const sale = await aSaleAt(server, 'confirmed')
  const device = await switchOn(sale.buyer, service)
  await signAsSeller(sale)
  await push()
  expect(device.shown()[0]?.ttl).toBeLessThanOrEqual(72 * 3600)
})

// R-notifications-25
test('sends only the newest pending push about a deal', async () => {
  const { sale, device } = await aSellerTold()
  const happens = await aDealWithNews(sale)
  await happens('sellerPaid')
  await at(1)
  await happens('titleReceived')
  await push()
  expect([bodiesOn(device), await waiting()]).toEqual([[titleSentence], []])
})

// R-notifications-25
test('drops a delayed push after a newer one about the same deal was sent', async () => {
  const { sale, device } = await aSellerTold(answering(503))
  const happens = await aDealWithNews(sale)
  await happens('sellerPaid')
  await push()
  await server.query(`update jobs set run_at = keyturn_now() + interval '1 hour' where name = 'send-push'`)
  await at(13)
  await happens('titleReceived')
  await push()
  await at(4000)
  await push()
  expect([bodiesOn(device), await waiting()]).toEqual([[expect.any(String), titleSentence], []])
})

// R-notifications-25
test('drops a push that is resolved before it is sent', async () => {
  const { service, sale, device } = await aSellerTold(undefined, 'confirmed')
  const devices = [device, await switchOn(sale.buyer, service)]
  await signAsSeller(sale)
  await signAsBuyer(sale)
  await push()
  for (const one of devices) expect(bodiesOn(one)).toEqual([expect.stringContaining('You have both signed')])
})

test('keeps the preferences for push and email independent of each other', async () => {
  const { sale, seller, device } = await aSellerTold()
  const turnOff = (channel: 'mail' | 'push') =>
    seller.ask(setPreference, { body: { kind: 'requests', channel, isOn: false } })
  await turnOff('mail')
  await offerPrice(sale, 9100)
  await push()
  expect(device.shown()).toHaveLength(1)
  const { switches } = await turnOff('push')
  expect(switches[0]).toEqual({ kind: 'requests', mail: false, push: false })
  await seller.ask(setPreference, { body: { kind: 'requests', channel: 'mail', isOn: true } })
  await offerPrice(sale, 9200)
  await push()
  expect(device.shown()).toHaveLength(1)
  const written = `select from mails where user_id = $1 and subject like '%$9,200%'`
  expect(await server.query(written, [seller.id])).toHaveLength(1)
})

// R-notifications-26, R-notifications-27
test.each([
  [404, 0],
  [410, 0],
  [400, 1],
  [403, 1],
  [413, 1],
  [301, 1],
])('gives up a push when the service responds with %i, and leaves %i devices', async (status, stay) => {
  const { service, sale, seller } = await aSellerTold((response) =>
    response.writeHead(status, { location: '/elsewhere' }).end(),
  )
  await offerPrice(sale, 9100)
  await push()
  expect([await waiting(), (await devicesOf(seller)).length]).toEqual([[], stay])
  await at(4000)
  await push()
  expect(service.received).toHaveLength(1)
})

// R-notifications-27
test('retries an unavailable service with backoff, respecting its Retry-After', async () => {
  const { service, sale, device } = await aSellerTold((response, _, count) => {
    if (count === 1) return response.writeHead(500).end()
    if (count === 2) return response.writeHead(429, { 'retry-after': '300' }).end()
    return response.writeHead(201).end()
  })
  await offerPrice(sale, 9100)
  const tries: number[] = []
  for (const seconds of [0, 9, 13, 13 + 290, 13 + 361]) {
    await at(seconds)
    await push()
    tries.push(service.received.length)
  }
  expect([tries, await waiting()]).toEqual([[1, 1, 2, 2, 3], []])
  expect(new Set(device.shown().map(({ message, topic }) => `${message.id} ${topic}`)).size).toBe(1)
})

// R-notifications-27
test('delays all pushes to a failing device until one succeeds', async () => {
  const { service, sale } = await aSellerTold(answering(503, 503, 503, 201, 503))
  const triesBy = async (seconds: number) => {
    await at(seconds)
    await push()
    return service.received.length
  }
  await offerPrice(sale, 9100)
  expect([await triesBy(0), await triesBy(13)]).toEqual([1, 2])
  // A new push does not begin with a short pause.
  await at(14)
  await offerPrice(sale, 9200)
  expect([await triesBy(51), await triesBy(51 + 110), await triesBy(51 + 145)]).toEqual([3, 3, 4])
  await offerPrice(sale, 9300)
  expect([await triesBy(200), await triesBy(213)]).toEqual([5, 6])
})

// R-notifications-27
test('counts concurrent failed attempts as one failure', async () => {
  const held: ServerResponse[] = []
  const { service, sale, seller } = await aSellerTold((response) => {
    held.push(response)
    if (held.length === 2) for (const one of held) one.writeHead(503).end()
  })
  const other = await aSaleAt(server, 'requested', {}, { seller })
  await forgetPushes()
  await offerPrice(sale, 9100)
  await offerPrice(other, 9100)
  const jobs = await server.query<{ payload: Record<string, unknown> }>(
    `select payload from jobs where name = 'send-push'`,
  )
  const task = pushTasks(server.deps)['send-push']
  const { signal } = new AbortController()
  await Promise.all(jobs.map(({ payload }) => task?.run(payload, { attempts: 1, stopping: signal })))
  expect(service.received).toHaveLength(2)
  expect(await storedFor(seller)).toMatchObject([{ failures: 1 }])
})

test('drops a push after three days', async () => {
  const { service, sale } = await aSellerTold(answering(503, 503))
  await offerPrice(sale, 9100)
  await push()
  await at(3 * 86_400 + 1)
  await push()
  expect([service.received.length, await waiting()]).toEqual([1, []])
})

// R-notifications-26
test('rejects endpoints in private networks and endpoints without https', async () => {
  const strict = { ...server.deps.config, push: { ...server.deps.config.push, allowPrivate: false } }
  const service = await startPushService()
  const sale = await aSaleAt(server, 'requested')
  const { keys } = service.subscribe(key)
  const tell = async (endpoint: string) => {
    await sale.seller.ask(addDevice, { body: { endpoint, keys } })
    await offerPrice(sale, 9000 + Math.floor(Math.random() * 900))
    await runDueJobs(server.deps, pushTasks({ ...server.deps, config: strict }))
    return devicesOf(sale.seller)
  }
  const { port } = new URL(service.origin)
  for (const origin of [
    service.origin,
    `https://127.0.0.1:${port}`,
    `https://localhost:${port}`,
    'https://[::1]',
  ])
    expect(await tell(`${origin}/push/x`)).toEqual([])
  expect(service.received).toEqual([])
})

// R-notifications-26
test('rejects endpoints of unknown push services when they are added, renewed and used', async () => {
  const strict = await startTestServer({ PUSH_HOSTS: 'push.example' })
  const sale = await aSaleAt(strict, 'requested')
  const { keys } = (await startPushService()).subscribe(key)
  const at = (endpoint: string) => ({ body: { endpoint, keys, before: endpoint } })
  const unfit = 'Notifications could not be set up in this browser. Please try again.'
  for (const [endpoint, message] of [
    ['https://fcm.googleapis.com.example/1', 'Notifications cannot be sent to this browser’s push service.'],
    ['http://push.example/1', unfit],
    ['https://push.example:8443/1', unfit],
    ['https://me@push.example/1', unfit],
    ['ftp://push.example/1', unfit],
    ['nowhere', unfit],
  ] as const)
    for (const call of [addDevice, renewDevice])
      expect((await sale.seller.send(call, at(endpoint))).error).toMatchObject({
        errorCode: 'ValidationError',
        errors: [{ path: 'endpoint', message }],
      })
  expect((await sale.seller.ask(addDevice, at('https://push.example/1'))).devices).toHaveLength(1)
  await offerPrice(sale, 9100)
  const { config } = strict.deps
  const withoutHosts = { ...config, push: { ...config.push, hosts: [] } }
  await runDueJobs(strict.deps, pushTasks({ ...strict.deps, config: withoutHosts }))
  expect(await devicesOf(sale.seller)).toHaveLength(1)
  expect(await strict.query('select from pushes')).toEqual([])
})

test('removes a device with an invalid key without failing the job', async () => {
  const service = await startPushService()
  const sale = await aSaleAt(server, 'requested')
  const { endpoint, keys } = service.subscribe(key)
  await sale.seller.ask(addDevice, { body: { endpoint, keys: { ...keys, p256dh: `B${'A'.repeat(86)}` } } })
  await offerPrice(sale, 9100)
  await push()
  expect([service.received, await devicesOf(sale.seller), await waiting()]).toEqual([[], [], []])
})

// R-notifications-26
test('replaces the endpoint when a browser adds another one', async () => {
  const { service, sale, seller } = await aSellerTold()
  const second = await switchOn(seller, service)
  expect(await devicesOf(seller)).toHaveLength(1)
  await offerPrice(sale, 9100)
  await push()
  expect([second.shown().length, service.received.length]).toEqual([1, 1])
})

// R-notifications-26
test('moves a browser to another account without the former account’s pushes', async () => {
  const { sale, seller, device } = await aSellerTold()
  const { endpoint, keys, shown } = device
  const next = await aBuyer(server)
  await offerPrice(sale, 9100)
  await next.ask(addDevice, { body: { endpoint, keys } })
  expect([(await devicesOf(seller)).length, (await devicesOf(next)).length]).toEqual([0, 1])
  await push()
  await offerPrice(sale, 9200)
  await push()
  expect(shown()).toEqual([])
})

// R-notifications-26
test('removes the least recently seen device when an eleventh is added', async () => {
  const service = await startPushService()
  const person = await aSeller(server)
  const sessions = [person]
  for (let i = 1; i < 11; i++) sessions.push(await again(person))
  const addresses: string[] = []
  for (const [i, session] of sessions.entries()) {
    await at(i)
    if (i === 10) {
      // Renews the first device, so that the second is now the one seen least recently.
      const first = addresses[0] ?? ''
      const { keys } = service.subscribe(key)
      await person.ask(renewDevice, { body: { endpoint: first, keys, before: first } })
      await at(i + 1)
    }
    addresses.push((await switchOn(session, service)).endpoint)
  }
  const kept = await storedFor(person)
  expect(kept.map(({ endpoint }) => endpoint).sort()).toEqual(addresses.filter((_, i) => i !== 1).sort())
})

// R-notifications-26
test('keeps the device on a new endpoint, and does not restore a removed one', async () => {
  const service = await startPushService()
  const person = await aSeller(server)
  const first = await switchOn(person, service)
  const { endpoint, keys } = service.subscribe(key)
  const before = first.endpoint
  // The person signs in again in this browser.
  const later = await again(person)
  await later.ask(renewDevice, { body: { endpoint, keys, before } })
  const [device] = await devicesOf(person)
  expect(await devicesOf(person)).toHaveLength(1)
  await person.ask(removeDevice, { params: { id: device?._id ?? '' } })
  const { status } = await later.send(renewDevice, { body: { endpoint, keys, before } })
  expect([status, await devicesOf(person)]).toEqual([404, []])
})

test('hides a device from strangers', async () => {
  const service = await startPushService()
  const [person, stranger] = [await aSeller(server), await aSeller(server)]
  const { endpoint, keys } = await switchOn(person, service)
  const [device] = await devicesOf(person)
  expect((await stranger.send(removeDevice, { params: { id: device?._id ?? '' } })).status).toBe(404)
  expect((await stranger.send(renewDevice, { body: { endpoint, keys, before: endpoint } })).status).toBe(404)
  expect([(await devicesOf(stranger)).length, (await devicesOf(person)).length]).toEqual([0, 1])
  expect(JSON.stringify(await person.ask(readDevices))).not.toContain(endpoint)
})

// R-notifications-26
test('removes devices on sign-out, password change and account deletion', async () => {
  const service = await startPushService()
  const person = await aSeller(server)
  const [here, there] = [await again(person), await again(person)]
  for (const browser of [person, here, there]) await switchOn(browser, service)
  await there.ask(logout)
  const password = `${person.password} and more`
  expect(await devicesOf(person)).toHaveLength(2)
  const change = { password, confirmPassword: password, currentPassword: person.password }
  await here.ask(changePassword, { body: { ...change, changePasswordId: person.id } })
  // The browser that changed the password keeps its device until it signs out.
  expect(await storedFor(person)).toHaveLength(1)
  await here.ask(logout)
  expect(await storedFor(person)).toEqual([])
  await switchOn(await again({ ...person, password }), service)
  expect(await storedFor(person)).toHaveLength(1)
  await transaction(server.deps, (tx) => eraseFromNotifications(tx, person.id))
  expect(await storedFor(person)).toEqual([])
})

// R-notifications-26
test('does not add a device while its session ends', async () => {
  const { keys, endpoint } = (await startPushService()).subscribe(key)
  const person = await aSeller(server)
  const ending = 'update sessions set ended_at = now() where user_id = $1'
  const asked = await whileUnderWay(ending, person.id, () =>
    person.send(addDevice, { body: { endpoint, keys } }),
  )
  expect([asked.status, await storedFor(person)]).toEqual([401, []])
})

// R-notifications-26
test('does not restore a removed device that is renewed concurrently', async () => {
  const service = await startPushService()
  const person = await aSeller(server)
  const { endpoint, keys } = await switchOn(person, service)
  const { status } = await whileUnderWay('delete from push_devices where user_id = $1', person.id, () =>
    person.send(renewDevice, { body: { endpoint, keys, before: endpoint } }),
  )
  expect([status, await devicesOf(person)]).toEqual([404, []])
})

// R-notifications-26
test('keeps the device when its owner signs in again', async () => {
  const { sale, seller, device } = await aSellerTold()
  const signIn = () => seller.ask(login, { body: { email: seller.email, password: seller.password } })
  await signIn()
  await offerPrice(sale, 9100)
  await push()
  expect(device.shown()).toHaveLength(1)
  await server.query('update sessions set expires_at = now() where user_id = $1', [seller.id])
  await signIn()
  await offerPrice(sale, 9200)
  await push()
  expect(device.shown()).toHaveLength(2)
  await seller.ask(logout)
  expect(await storedFor(seller)).toEqual([])
})

// R-notifications-26
test('does not take over a device when another person signs in', async () => {
  const service = await startPushService()
  const [person, next] = [await aSeller(server), await aSeller(server)]
  await switchOn(person, service)
  await person.ask(login, { body: { email: next.email, password: next.password } })
  expect(await storedFor(person, next)).toEqual([])
})

test('drops pushes that name a deleted person', async () => {
  const { sale, device } = await aSellerTold()
  await offerPrice(sale, 9100)
  await transaction(server.deps, (tx) => eraseFromNotifications(tx, sale.buyer.id))
  await push()
  expect([device.shown(), await waiting()]).toEqual([[], []])
})

test('commits an event while a recipient’s device is being removed', async () => {
  const { sale } = await aSellerTold()
  await whileUnderWay('delete from push_devices where user_id = $1', sale.seller.id, () =>
    offerPrice(sale, 9100),
  )
  expect(await waiting()).toEqual([])
})

/**
 * Starts `begin` during an uncommitted change, and commits once `begin` waits for the change or has
 * finished.
 */
async function whileUnderWay<T>(change: string, id: string, begin: () => Promise<T>): Promise<T> {
  const other = await server.owner.pool.connect()
  await other.query('begin')
  await other.query(change, [id])
  const begun = begin()
  await Promise.race([begun, waitForLockWait(server)])
  await other.query('commit')
  other.release()
  return begun
}
