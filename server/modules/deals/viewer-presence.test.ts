import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { logout, readPresence, setPresenceShown } from '@keyturn/contract/accounts/endpoints.ts'
import { startProgress } from '@keyturn/contract/deals/endpoints.ts'
import { reportViewing } from '@keyturn/contract/deals/presence/endpoints.ts'
import { streamServerEvents } from '@keyturn/contract/notifications/endpoints.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openBrowser } from '../../../tests/support/browser.ts'
import { aBuyer, type TestPerson } from '../../../tests/support/people.ts'
import { aRequest, aSaleAt, turnDown } from '../../../tests/support/sales/deals.ts'
import { digestTables } from '../../../tests/support/table-digests.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { buildApp } from '../../app.ts'
import { newId } from '../../platform/database/new-id.ts'

const server = await startTestServer()
const address = await server.app.listen({ port: 0, host: '127.0.0.1' })
type At = { userId: string; vin: string }

const eventually = <T>(check: () => T | Promise<T>) => vi.waitFor(check, 10_000)
const tabs = new Map<TestPerson, string>()
const tabOf = (person: TestPerson) => {
  const tab = tabs.get(person) ?? newId().padEnd(32, '0')
  tabs.set(person, tab)
  return tab
}
const report = (person: TestPerson, at: At, isLooking = true) =>
  person.send(reportViewing, { params: at, body: { tab: tabOf(person), isLooking } })
const expectToSee = (person: TestPerson, at: At, names: string[]) =>
  eventually(async () => expect((await report(person, at)).answer.names).toEqual(names))

/** Opens a page of this person, which counts the events that arrive. */
async function openPage(person: TestPerson, origin = address) {
  const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const request = get(origin + streamServerEvents.path, { headers: { cookie }, agent: false })
  onTestFinished(() => void request.destroy())
  const [response]: IncomingMessage[] = await once(request, 'response')
  let text = ''
  response?.setEncoding('utf8').on('data', (piece) => {
    text += piece
  })
  return { countEvents: () => text.match(/event: looks\ndata:\n\n/g)?.length ?? 0 }
}

// R-deals-82
test('shows the parties to each other across processes, and publishes arrivals and departures immediately', async () => {
  const { seller, buyer, at } = await aSaleAt(server, 'requested')
  const second = await buildApp(server.deps, new URL('../../../dist/web', import.meta.url))
  onTestFinished(() => second.close())
  await openPage(buyer)
  const page = await openPage(seller, await second.listen({ port: 0, host: '127.0.0.1' }))
  // The seller's session at the second process.
  const sellerAtSecond = openBrowser(second)
  for (const [name, value] of seller.cookies) sellerAtSecond.cookies.set(name, value)
  const reportThere = () =>
    sellerAtSecond.ask(reportViewing, { params: at, body: { tab: tabOf(seller), isLooking: true } })
  expect(await reportThere()).toEqual({ names: [] })
  await expectToSee(buyer, at, ['Selma Sanders'])
  await eventually(() => expect(page.countEvents()).toBe(1))
  expect(await reportThere()).toEqual({ names: ['Basil Byrd'] })
  await report(buyer, at)
  await report(buyer, at, false)
  await eventually(() => expect(page.countEvents()).toBe(2))
  expect(await reportThere()).toEqual({ names: [] })
})

// R-deals-82
test('hides presence from other buyers, from buyers without a request and from denied buyers', async () => {
  const sale = await aSaleAt(server, 'started')
  const { seller, buyer, at } = sale
  // A seller without requests gets an empty list, not an error.
  expect((await report(seller, at)).answer.names).toEqual([])
  const [starter, other] = [await aBuyer(server), await aBuyer(server, { firstName: 'Olga' })]
  await starter.ask(startProgress, { body: at })
  for (const person of [buyer, other]) await aRequest(sale, person, 9100)
  for (const person of [buyer, other, starter]) await report(person, at)
  const olga = expect.stringMatching(/^Olga /)
  await expectToSee(seller, at, ['Basil Byrd', olga])
  await expectToSee(other, at, ['Selma Sanders'])
  expect((await report(starter, at)).answer.names).toEqual([])
  await turnDown(sale)
  await report(buyer, at)
  await expectToSee(seller, at, [olga])
  expect((await report(buyer, at)).answer.names).toEqual([])
})

// R-deals-82
test('hides the parties from each other as soon as one of them switches presence off', async () => {
  const { seller, buyer, at } = await aSaleAt(server, 'requested')
  expect(await buyer.ask(readPresence, {})).toEqual({ isShown: true })
  await report(buyer, at)
  await expectToSee(seller, at, ['Basil Byrd'])
  await expectToSee(buyer, at, ['Selma Sanders'])
  const page = await openPage(seller)
  expect(await buyer.ask(setPresenceShown, { body: { isShown: false } })).toEqual({ isShown: false })
  await eventually(() => expect(page.countEvents()).toBe(1))
  expect((await report(buyer, at)).answer.names).toEqual([])
  expect((await report(seller, at)).answer.names).toEqual([])
  expect(await buyer.ask(readPresence, {})).toEqual({ isShown: false })
  await buyer.ask(setPresenceShown, { body: { isShown: true } })
  await report(buyer, at)
  await expectToSee(seller, at, ['Basil Byrd'])
})

// R-deals-82
test('ends presence with the session and stores nothing in the database', async () => {
  const { seller, buyer, at } = await aSaleAt(server, 'requested')
  const before = await digestTables(server)
  await report(buyer, at)
  await expectToSee(seller, at, ['Basil Byrd'])
  expect(await digestTables(server)).toEqual(before)
  const page = await openPage(seller)
  await buyer.ask(logout)
  await eventually(() => expect(page.countEvents()).toBe(1))
  expect((await report(seller, at)).answer.names).toEqual([])
})
