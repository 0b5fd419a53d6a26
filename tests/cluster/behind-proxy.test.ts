// @module-tag full

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { openObjectStore } from '../support/object-store.ts'
import { aBuyer, aSeller, type TestPerson } from '../support/people.ts'
import { aCarForm } from '../support/sales/deals.ts'
import { aReceiver } from '../support/smtp-receiver.ts'
import { aFolder, endOfFile, freePort, type Started, start } from '../support/start.ts'
import { startTestServer } from '../support/test-server.ts'
import { isThere, type ProxyName, startProxy } from './proxies.ts'
import { aVisitor, type Visitor } from './proxy-client.ts'
import { expectSharedPhoto, signIn } from './shared-photos.ts'

// Two servers share one database behind the proxies of `operations/`, without sticky sessions
// (R-everywhere-45).

const house = await startTestServer()

const atTheEnd = endOfFile()

const mails = await aReceiver({ whenOver: atTheEnd })
const s3 = await openObjectStore('cars')
atTheEnd(s3.close)
const ports: [number, number] = [await freePort(), await freePort()]
const folders = [aFolder(atTheEnd), aFolder(atTheEnd)] as const
const servers: Started[] = []

beforeAll(async () => {
  servers.push(begin(0), begin(1))
  await Promise.all(servers.map((server) => server.says('Keyturn is ready')))
})

/** Longer than HAProxy needs to notice a draining server. */
const drainSeconds = 6

function begin(which: 0 | 1): Started {
  return start(
    {
      DATABASE_URL: house.databaseUrl,
      DATA_DIR: folders[which],
      PORT: String(ports[which]),
      PUBLIC_URL: 'https://keyturn.example',
      TRUST_PROXY: 'loopback',
      SMTP_URL: mails.url,
      DEMO: '0',
      DRAIN_SECONDS: String(drainSeconds),
      ...s3.settings,
      S3_BUCKET: 'cars',
    },
    atTheEnd,
  )
}

const soon = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 60_000, interval: 100 })

// R-everywhere-46
test('creates the same keys at both servers', () => {
  for (const name of ['evidence-key', 'push-key'])
    expect(readFileSync(join(folders[1], name))).toEqual(readFileSync(join(folders[0], name)))
})

const names: ProxyName[] = ['nginx', 'haproxy']
describe.each(names)('behind %s', (name) => {
  const it = test.skipIf(!isThere(name))
  let tls = 0
  beforeAll(async () => {
    if (isThere(name)) tls = (await startProxy(name, aFolder(atTheEnd), ports, atTheEnd)).tls
  })

  const signedIn = (person: TestPerson, headers?: Record<string, string>) => signIn(tls, person, headers)

  it('who is signed in is signed in at both, and their address is what the proxy says', async () => {
    const buyer = await aBuyer(house)
    const visitor = await signedIn(buyer, { 'x-forwarded-for': '203.0.113.9' })
    const by = new Set<string>()
    for (let asked = 0; asked < 8; asked++) {
      const got = await visitor.send('GET', '/user')
      expect([got.status, got.json.email]).toEqual([200, buyer.email])
      by.add(got.by)
    }
    expect(by.size).toBe(2)
    const rows = await house.query<{ ip: string }>(
      'select ip from sessions where user_id = $1 order by signed_in_at desc limit 1',
      [buyer.id],
    )
    expect(rows).toEqual([{ ip: '127.0.0.1' }])
  })

  it('a stream says at once what changes, and ends when its person signs out at the other server', async () => {
    const visitor = await signedIn(await aBuyer(house))
    const { response, by } = await visitor.stream('/events')
    let heard = ''
    let isOver = false
    response.setEncoding('utf8').on('data', (text) => {
      heard += text
    })
    response.on('close', () => {
      isOver = true
    })
    await soon(() => expect(heard).not.toBe(''))
    const [first] = ports
    const isFirst = (await visitor.send('GET', '/health/live', {}, first)).by === by
    const other = isFirst ? ports[1] : first
    expect(isOver).toBe(false)
    expect((await visitor.send('GET', '/auth/logout', {}, other)).by).not.toBe(by)
    await soon(() => expect(isOver).toBe(true))
  })

  it('a photo that one has taken in is shown by the other', async () => {
    await expectSharedPhoto(await signedIn(await aSeller(house)), house.query, ports)
  })

  it('one is killed: reads and changes go on at the other, and what was acknowledged is there', async () => {
    const sales = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const visitor = await signedIn(await aSeller(house))
        const car = await visitor.send('POST', '/cars/input', { body: aCarForm() })
        return { visitor, id: String(car.json._id) }
      }),
    )
    let isOver = false
    const reading = (async () => {
      const reader = aVisitor(tls)
      while (!isOver) expect((await reader.send('GET', '/health/ready')).status).toBe(200)
    })()
    const changing = sales.map(async ({ visitor, id }, place) => {
      for (let round = 1; round <= 12; round++) {
        if (place === 0 && round === 5) servers[1]?.send('SIGKILL')
        await setPrice(visitor, id, 9000 + round)
      }
    })
    await Promise.all(changing)
    isOver = true
    await reading
    const prices = await house.query<{ price: number }>(
      'select price_cents::int as price from cars where id = any($1)',
      [sales.map(({ id }) => id)],
    )
    expect(prices).toEqual(sales.map(() => ({ price: 901_200 })))
    servers[1] = begin(1)
    await servers[1].says('Keyturn is ready')
  })

  // R-everywhere-50
  it('one drains: whom it serves it serves to the end, and nobody is refused meanwhile', async () => {
    const visitor = await signedIn(await aBuyer(house))
    const second = (await visitor.send('GET', '/health/live', {}, ports[1])).by
    // The proxy may not have noticed yet that the second server is up again.
    const { response } = await soon(async () => {
      const stream = await visitor.stream('/events')
      if (stream.by === second) return stream
      stream.response.destroy()
      throw new Error('The other one has it')
    })
    const ends: number[] = []
    response.resume().on('close', () => ends.push(performance.now()))
    const began = performance.now()
    servers[1]?.send('SIGTERM')
    let othersInARow = 0
    while (ends.length === 0) {
      const { status, by } = await visitor.send('GET', '/user')
      expect(status).toBe(200)
      othersInARow = by === second ? 0 : othersInARow + 1
      // Stays within the rate limit.
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    expect(ends[0]).toBeGreaterThan(began + drainSeconds * 1000 - 500)
    // nginx has no health checks: it notices a stopped server when a visitor's connection fails.
    if (name === 'haproxy') expect(othersInARow).toBeGreaterThan(5)
    await servers[1]?.ended
    servers[1] = begin(1)
    await servers[1].says('Keyturn is ready')
    await soon(async () => expect((await visitor.send('GET', '/user', {}, ports[1])).status).toBe(200))
  })

  /** Retries with the same key after a lost response, as the app does. */
  async function setPrice(visitor: Visitor, id: string, newPrice: number): Promise<void> {
    for (let tries = 0; ; tries++) {
      const got = await visitor
        .send('PUT', `/cars/update-price/${id}`, {
          body: { newPrice },
          headers: { 'idempotency-key': `${id} ${newPrice}` },
        })
        .catch(() => null)
      if (got?.status === 200) return
      expect([undefined, 409, 502, 503, 504]).toContain(got?.status)
      expect(tries).toBeLessThan(50)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
})
