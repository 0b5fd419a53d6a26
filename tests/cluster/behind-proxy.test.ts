// @module-tag full

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { startObjectStore } from '../support/object-store.ts'
import { aBuyer, aSeller, type TestPerson } from '../support/people.ts'
import { aCarForm } from '../support/sales/deals.ts'
import {
  cleanupAfterFile,
  createTestFolder,
  freePort,
  type ServerProcess,
  startServerProcess,
} from '../support/server-process.ts'
import { startSmtpReceiver } from '../support/smtp-receiver.ts'
import { startTestServer } from '../support/test-server.ts'
import { isInstalled, type ProxyName, startProxy } from './proxies.ts'
import { createProxyClient, type ProxyClient } from './proxy-client.ts'
import { expectSharedPhoto, signIn } from './shared-photos.ts'

// Two servers share one database behind the proxies of `operations/`, without sticky sessions
// (R-everywhere-45).

const testServer = await startTestServer()

const onCleanup = cleanupAfterFile()

const mails = await startSmtpReceiver({ addCleanup: onCleanup })
const s3 = await startObjectStore('cars')
onCleanup(s3.close)
const ports: [number, number] = [await freePort(), await freePort()]
const folders = [createTestFolder(onCleanup), createTestFolder(onCleanup)] as const
const servers: ServerProcess[] = []

beforeAll(async () => {
  servers.push(startServer(0), startServer(1))
  await Promise.all(servers.map((server) => server.says('Keyturn is ready')))
})

/** Longer than HAProxy needs to notice a draining server. */
const drainSeconds = 6

function startServer(index: 0 | 1): ServerProcess {
  return startServerProcess(
    {
      DATABASE_URL: testServer.databaseUrl,
      DATA_DIR: folders[index],
      PORT: String(ports[index]),
      PUBLIC_URL: 'https://keyturn.example',
      TRUST_PROXY: 'loopback',
      SMTP_URL: mails.url,
      DEMO: '0',
      DRAIN_SECONDS: String(drainSeconds),
      ...s3.settings,
      S3_BUCKET: 'cars',
    },
    onCleanup,
  )
}

const waitUntil = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 60_000, interval: 100 })

// R-everywhere-46
test('creates the same keys on both servers', () => {
  for (const name of ['evidence-key', 'push-key'])
    expect(readFileSync(join(folders[1], name))).toEqual(readFileSync(join(folders[0], name)))
})

const names: ProxyName[] = ['nginx', 'haproxy']
describe.each(names)('behind %s', (name) => {
  const it = test.skipIf(!isInstalled(name))
  let tls = 0
  beforeAll(async () => {
    if (isInstalled(name)) tls = (await startProxy(name, createTestFolder(onCleanup), ports, onCleanup)).tls
  })

  const signInAs = (person: TestPerson, headers?: Record<string, string>) => signIn(tls, person, headers)

  it('shares sessions between both servers, with the client address that the proxy reports', async () => {
    const buyer = await aBuyer(testServer)
    const client = await signInAs(buyer, { 'x-forwarded-for': '203.0.113.9' })
    const servedBy = new Set<string>()
    for (let requests = 0; requests < 8; requests++) {
      const reply = await client.send('GET', '/user')
      expect([reply.status, reply.json.email]).toEqual([200, buyer.email])
      servedBy.add(reply.servedBy)
    }
    expect(servedBy.size).toBe(2)
    const rows = await testServer.query<{ ip: string }>(
      'select ip from sessions where user_id = $1 order by signed_in_at desc limit 1',
      [buyer.id],
    )
    expect(rows).toEqual([{ ip: '127.0.0.1' }])
  })

  it('opens an event stream, and ends it when the person signs out on the other server', async () => {
    const client = await signInAs(await aBuyer(testServer))
    const { response, servedBy } = await client.stream('/events')
    let received = ''
    let isOver = false
    response.setEncoding('utf8').on('data', (text) => {
      received += text
    })
    response.on('close', () => {
      isOver = true
    })
    await waitUntil(() => expect(received).not.toBe(''))
    const [first] = ports
    const isFirst = (await client.send('GET', '/health/live', {}, first)).servedBy === servedBy
    const other = isFirst ? ports[1] : first
    expect(isOver).toBe(false)
    expect((await client.send('GET', '/auth/logout', {}, other)).servedBy).not.toBe(servedBy)
    await waitUntil(() => expect(isOver).toBe(true))
  })

  it('serves a photo from both servers although only one of them stored it', async () => {
    await expectSharedPhoto(await signInAs(await aSeller(testServer)), testServer.query, ports)
  })

  it('continues on the other server when one is killed, and loses nothing that was acknowledged', async () => {
    const sales = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const client = await signInAs(await aSeller(testServer))
        const car = await client.send('POST', '/cars/input', { body: aCarForm() })
        return { client, id: String(car.json._id) }
      }),
    )
    let isOver = false
    const reading = (async () => {
      const reader = createProxyClient(tls)
      while (!isOver) expect((await reader.send('GET', '/health/ready')).status).toBe(200)
    })()
    const changing = sales.map(async ({ client, id }, i) => {
      for (let round = 1; round <= 12; round++) {
        if (i === 0 && round === 5) servers[1]?.send('SIGKILL')
        await setPrice(client, id, 9000 + round)
      }
    })
    await Promise.all(changing)
    isOver = true
    await reading
    const prices = await testServer.query<{ price: number }>(
      'select price_cents::int as price from cars where id = any($1)',
      [sales.map(({ id }) => id)],
    )
    expect(prices).toEqual(sales.map(() => ({ price: 901_200 })))
    servers[1] = startServer(1)
    await servers[1].says('Keyturn is ready')
  })

  // R-everywhere-50
  it('completes requests on open connections and rejects none when one server drains', async () => {
    const client = await signInAs(await aBuyer(testServer))
    const second = (await client.send('GET', '/health/live', {}, ports[1])).servedBy
    // The proxy may not have noticed yet that the second server is up again.
    const { response } = await waitUntil(async () => {
      const stream = await client.stream('/events')
      if (stream.servedBy === second) return stream
      stream.response.destroy()
      throw new Error('The other server has the stream')
    })
    const ends: number[] = []
    response.resume().on('close', () => ends.push(performance.now()))
    const began = performance.now()
    servers[1]?.send('SIGTERM')
    let othersInARow = 0
    while (ends.length === 0) {
      const { status, servedBy } = await client.send('GET', '/user')
      expect(status).toBe(200)
      othersInARow = servedBy === second ? 0 : othersInARow + 1
      // Stays within the rate limit.
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    expect(ends[0]).toBeGreaterThan(began + drainSeconds * 1000 - 500)
    // nginx has no health checks: it notices a stopped server when a client's connection fails.
    if (name === 'haproxy') expect(othersInARow).toBeGreaterThan(5)
    await servers[1]?.ended
    servers[1] = startServer(1)
    await servers[1].says('Keyturn is ready')
    await waitUntil(async () => expect((await client.send('GET', '/user', {}, ports[1])).status).toBe(200))
  })

  /** Retries with the same key after a lost response, as the app does. */
  async function setPrice(client: ProxyClient, id: string, newPrice: number): Promise<void> {
    for (let tries = 0; ; tries++) {
      const reply = await client
        .send('PUT', `/cars/update-price/${id}`, {
          body: { newPrice },
          headers: { 'idempotency-key': `${id} ${newPrice}` },
        })
        .catch(() => null)
      if (reply?.status === 200) return
      expect([undefined, 409, 502, 503, 504]).toContain(reply?.status)
      expect(tries).toBeLessThan(50)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
})
