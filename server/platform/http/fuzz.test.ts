// @module-tag full

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { editCar } from '@keyturn/contract/cars/endpoints.ts'
import { allEndpoints } from '@keyturn/contract/endpoints.ts'
import type { Endpoint } from '@keyturn/contract/shared/endpoint.ts'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Browser, WireInput } from '../../../tests/support/browser.ts'
import { exampleInputs, targetWithoutRows } from '../../../tests/support/example-inputs.ts'
import { anAdministrator, aSeller } from '../../../tests/support/people.ts'
import { aSaleAt, readProgressOf } from '../../../tests/support/sales/deals.ts'
import { fieldPathsOf, withField } from '../../../tests/support/schema-fields.ts'
import { digestTables } from '../../../tests/support/table-digests.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { aTrade } from '../../../tests/support/trades.ts'
import { encodeCursor } from '../database/pagination.ts'

const server = await startTestServer()

/** Values of every wrong kind, and some that are nearly valid. */
const numbers = [0, -1, 1.5, 1e308, 2 ** 53, 2 ** 31]
const marks = ['', ' ', '\u0007', '\u202e\ufeff\u200b', 'NaN', '{"$gt":""}', '../../etc/passwd']
const words = ["'; drop table users; --", '9999-99-99T99:99:99Z', '😀'.repeat(300), 'x'.repeat(5000)]
const objects: unknown[] = [[], [[]], [null, 1, 'x', {}], {}, { length: 1, toString: 1, toJSON: 1 }]
const values = [null, true, ...numbers, ...marks, ...words, ...objects]
const texts = [...marks, ...words, '\0', '-1', '1e9', '٣']

/** Times that JavaScript or PostgreSQL cannot parse, for cursors. */
const times = ['1', '0', '2026', 'infinity', '+275760-09-13T00:00:00.000Z', '-271821-04-20T00:00:00Z']
const strangeTimes = ['2026-02-31T00:00:00Z', '2026-01-01T00:00:00+99:99', 'Sat,1Jan2026']
const cursors = [...times, ...strangeTimes]
  .map((when) => encodeCursor({ at: when, id: 'a'.repeat(24) }))
  .concat('AAAA', '====', Buffer.from('2026-01-01T00:00:00Z \0').toString('base64url'))

const withBody = allEndpoints.filter((call) => call.body)
const withAddress = allEndpoints.filter(
  (call) => (call.params || call.query) && !call.media?.startsWith('text/'),
)

// R-safe-20
describe('returns a declared response for any value of a field', () => {
  test.each(withBody)('$name', async (call) => {
    const { input, browser } = await aWorld(call)
    const paths = [...new Set([...pathsIn(input.body), ...fieldPathsOf(call.body)])]
    const tries = paths.flatMap((path) =>
      values.map((value) => ({ ...input, body: withField(input.body, path, marked(path, value)) as object })),
    )
    expect(tries.length).toBeGreaterThanOrEqual(values.length)
    await tryAll(call, tries, browser)
  })
})

describe('returns a response from the contract for any address', () => {
  test.each(withAddress)('$name', async (call) => {
    const { input, browser } = await aWorld(call)
    const params = Object.keys(input.params ?? {}).flatMap((name) =>
      texts.map((text) => ({ ...input, params: { ...input.params, [name]: marked(name, text) as string } })),
    )
    const query = namesIn(call.query).flatMap((name) =>
      (name === 'cursor' ? cursors : texts).map((text) => ({
        ...input,
        query: { ...input.query, [name]: marked(name, text) as string },
      })),
    )
    await tryAll(call, [...params, ...query], browser)
  })
})

test('returns 400 for an Idempotency-Key only if it has more than 255 characters', async () => {
  const { input, browser } = await aWorld(editCar)
  for (const key of ['', ' ', 'x'.repeat(255), 'x'.repeat(256), "'; --", 'é', '\t', '[object Object]']) {
    const sent = await browser().send(editCar, input, { 'idempotency-key': key })
    expect([key, sent.status]).toEqual([key, key.length > 255 ? 400 : 200])
  }
})

// R-safe-20
test('stores no rows and uses no more memory however many requests are rejected', async () => {
  const seller = await aSeller(server)
  const everything = withBody.flatMap((call) => {
    const [input = {}] = exampleInputs(call, { ...targetWithoutRows(), sellerId: seller.id })
    const paths = pathsIn(input.body)
    return values.map((value, index) => {
      const path = paths[index % paths.length] ?? ''
      return { call, input: { ...input, body: withField(input.body, path, marked(path, value)) as object } }
    })
  })
  const sendAll = async (tries: typeof everything) => {
    const statuses: number[] = []
    for (const { call, input } of tries) statuses.push((await seller.send(call, input)).status)
    return statuses
  }
  const statuses = await sendAll(everything)
  const refused = everything.filter((_, index) => (statuses[index] ?? 0) >= 400)
  expect(refused.length).toBeGreaterThan(everything.length / 2)
  // The first round fills caches.
  await sendAll(refused)
  const rows = await digestTables(server)
  const before = memoryInUse()
  for (let round = 0; round < 3; round++) await sendAll(refused)
  const grown = memoryInUse() - before
  expect(await digestTables(server)).toEqual(rows)
  expect(grown / (3 * refused.length), 'bytes kept of a request').toBeLessThan(400)
})

/** A sale, and a browser of a caller of the endpoint that also has an administrator's session. */
async function aWorld(call: Endpoint): Promise<{ input: WireInput; browser: () => Browser }> {
  const sale = await aSaleAt(server, 'requested')
  const { seller, buyer, car } = sale
  const person = /^\/(progress|cars\/request)/.test(call.path) ? buyer : seller
  const trade = await aTrade(person)
  const [input] = exampleInputs(call, {
    ...targetWithoutRows(),
    // The caller's own rows, so that valid input reaches the database.
    sellerId: seller.id,
    buyerId: person.id,
    carId: car._id,
    vin: car.vin,
    tradeId: trade._id,
    tradeVin: trade.vin,
    dealId: (await readProgressOf(sale))._id,
  })
  const session = call.callers.includes('anyone')
    ? []
    : [...person.cookies, ...(await anAdministrator(server)).cookies]
  // Each attempt begins signed in, regardless of what the previous one did to its cookies.
  const browser = () => {
    const opened = server.browser()
    for (const [name, value] of session) opened.cookies.set(name, value)
    return opened
  }
  return { input, browser }
}

/** Memory in use after garbage collection, in bytes. */
function memoryInUse(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  collect()
  return process.memoryUsage().heapUsed
}

/** Sends twenty requests at a time. */
async function tryAll(call: Endpoint, tries: WireInput[], browser: () => Browser): Promise<void> {
  const faults: string[] = []
  for (let begin = 0; begin < tries.length; begin += 20)
    await Promise.all(
      tries.slice(begin, begin + 20).map(async (input) => {
        const sent = await browser().send(call, input)
        const isOurs = sent.status < 400 || /^\{"errorCode":"[A-Z]\w+","message":".+"/.test(sent.body)
        if (sent.status >= 500 || !isOurs)
          faults.push(`${JSON.stringify(input).slice(0, 300)} -> ${sent.status} ${sent.body.slice(0, 200)}`)
      }),
    )
  expect(faults).toEqual([])
}

/** Makes passwords and codes unique, because the logs are searched for them afterwards. */
const marked = (path: string, value: unknown) =>
  typeof value === 'string' && /password|code/i.test(path) ? value.replace(/^.{8,}$/s, `$& ${path}`) : value

const pathsIn = (body: object = {}): string[] =>
  Object.entries(body).flatMap(([name, value]) => [
    name,
    ...(typeof value === 'object' && value !== null && !Array.isArray(value)
      ? pathsIn(value).map((path) => `${name}.${path}`)
      : []),
  ])

const namesIn = (schema: z.ZodType | undefined): string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
