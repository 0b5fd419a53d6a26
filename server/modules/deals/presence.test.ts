import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { logout, readPresence, showPresence } from '@keyturn/contract/accounts/endpoints.ts'
import { startProgress } from '@keyturn/contract/deals/endpoints.ts'
import { lookAtDeal } from '@keyturn/contract/deals/presence/endpoints.ts'
import { serverEvents } from '@keyturn/contract/notifications/endpoints.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openBrowser } from '../../../tests/support/browser.ts'
import { digestOf } from '../../../tests/support/digest.ts'
import { aBuyer, type TestPerson } from '../../../tests/support/people.ts'
import { aRequest, aSaleAt, turnDown } from '../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { buildApp } from '../../app.ts'
import { newId } from '../../platform/database/new-id.ts'

// Who sees that the other one of a deal is looking at it.

const server = await startTestServer()
const address = await server.app.listen({ port: 0, host: '127.0.0.1' })
type At = { userId: string; vin: string }

const soon = <T>(check: () => T | Promise<T>) => vi.waitFor(check, 10_000)
const tabs = new Map<TestPerson, string>()
const tabOf = (person: TestPerson) => {
  const tab = tabs.get(person) ?? newId().padEnd(32, '0')
  tabs.set(person, tab)
  return tab
}
const look = (person: TestPerson, at: At, isLooking = true) =>
  person.send(lookAtDeal, { params: at, body: { tab: tabOf(person), isLooking } })
const sees = (person: TestPerson, at: At, names: string[]) =>
  soon(async () => expect((await look(person, at)).answer.names).toEqual(names))

/** What arrives on an open page of this person. */
async function pageOf(person: TestPerson, here = address) {
  const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const request = get(here + serverEvents.path, { headers: { cookie }, agent: false })
  onTestFinished(() => void request.destroy())
  const [response]: IncomingMessage[] = await once(request, 'response')
  let text = ''
  response?.setEncoding('utf8').on('data', (piece) => {
    text += piece
  })
  return { looks: () => text.match(/event: looks\ndata:\n\n/g)?.length ?? 0 }
}

// R-deals-82
test('the two of a deal see each other, at whichever process, and are told at once when one comes or goes', async () => {
  const { seller, buyer, at } = await aSaleAt(server, 'requested')
  const second = await buildApp(server.deps, new URL('../../../dist/web/', import.meta.url))
  onTestFinished(() => second.close())
  await pageOf(buyer)
  const page = await pageOf(seller, await second.listen({ port: 0, host: '127.0.0.1' }))
  // The seller's own browser asks the second process.
  const there = openBrowser(second)
  for (const [name, value] of seller.cookies) there.cookies.set(name, value)
  const asks = () => there.ask(lookAtDeal, { params: at, body: { tab: tabOf(seller), isLooking: true } })
  expect(await asks()).toEqual({ names: [] })
  await sees(buyer, at, ['Selma Sanders'])
  await soon(() => expect(page.looks()).toBe(1))
  expect(await asks()).toEqual({ names: ['Basil Byrd'] })
  await look(buyer, at)
  await look(buyer, at, false)
  await soon(() => expect(page.looks()).toBe(2))
  expect(await asks()).toEqual({ names: [] })
})

// R-deals-82
test('nobody else learns of it: no other buyer, nobody without a request, none turned down', async () => {
  const sale = await aSaleAt(server, 'started')
  const { seller, buyer, at } = sale
  // A seller whom nobody has asked yet sees nobody, and is not refused.
  expect((await look(seller, at)).answer.names).toEqual([])
  const [begun, other] = [await aBuyer(server), await aBuyer(server, { firstName: 'Olga' })]
  await begun.ask(startProgress, { body: at })
  for (const person of [buyer, other]) await aRequest(sale, person, 9100)
  for (const person of [buyer, other, begun]) await look(person, at)
  const olga = expect.stringMatching(/^Olga /)
  await sees(seller, at, ['Basil Byrd', olga])
  await sees(other, at, ['Selma Sanders'])
  expect((await look(begun, at)).answer.names).toEqual([])
  await turnDown(sale)
  await look(buyer, at)
  await sees(seller, at, [olga])
  expect((await look(buyer, at)).answer.names).toEqual([])
})

// R-deals-82
test('who switches it off is not seen and sees nobody, at once, until it is on again', async () => {
  const { seller, buyer, at } = await aSaleAt(server, 'requested')
  expect(await buyer.ask(readPresence, {})).toEqual({ isShown: true })
  await look(buyer, at)
  await sees(seller, at, ['Basil Byrd'])
  await sees(buyer, at, ['Selma Sanders'])
  const page = await pageOf(seller)
  expect(await buyer.ask(showPresence, { body: { isShown: false } })).toEqual({ isShown: false })
  await soon(() => expect(page.looks()).toBe(1))
  expect((await look(buyer, at)).answer.names).toEqual([])
  expect((await look(seller, at)).answer.names).toEqual([])
  expect(await buyer.ask(readPresence, {})).toEqual({ isShown: false })
  await buyer.ask(showPresence, { body: { isShown: true } })
  await look(buyer, at)
  await sees(seller, at, ['Basil Byrd'])
})

// R-deals-82
test('with signing out it is over, and nothing of it is ever written down', async () => {
  const { seller, buyer, at } = await aSaleAt(server, 'requested')
  const before = await digestOf(server)
  await look(buyer, at)
  await sees(seller, at, ['Basil Byrd'])
  expect(await digestOf(server)).toEqual(before)
  const page = await pageOf(seller)
  await buyer.ask(logout)
  await soon(() => expect(page.looks()).toBe(1))
  expect((await look(seller, at)).answer.names).toEqual([])
})
