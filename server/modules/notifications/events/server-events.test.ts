import { once } from 'node:events'
import { get, type IncomingMessage, type ServerResponse } from 'node:http'
import { Writable } from 'node:stream'
import {
  changePassword,
  declineWholesaler,
  forgotPassword,
  login,
  logout,
  resetPassword,
} from '@keyturn/contract/accounts/endpoints.ts'
import { deleteUser } from '@keyturn/contract/deals/endpoints.ts'
import { streamServerEvents } from '@keyturn/contract/notifications/endpoints.ts'
import { serverEventModules } from '@keyturn/contract/notifications/rules.ts'
import fastify from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Browser } from '../../../../tests/support/browser.ts'
import { startLossyProxy } from '../../../../tests/support/http/lossy-proxy.ts'
import {
  aBuyer,
  aNewcomer,
  anAdministrator,
  anUnapprovedWholesaler,
  aSeller,
  aWholesaler,
  readEmailedCode,
  type TestPerson,
} from '../../../../tests/support/people.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'
import type { Deps } from '../../../deps.ts'
import { newId } from '../../../platform/database/new-id.ts'
import { type Db, openDatabase, transaction } from '../../../platform/database/open-database.ts'
import { createReadRouter } from '../../../platform/database/standbys/route-reads.ts'
import { createErrorHandler } from '../../../platform/http/error-handlers.ts'
import type { HttpContext } from '../../../platform/http/register-endpoint.ts'
import { createSessionFinder } from '../../accounts/sessions/sessions.ts'
import { notify } from '../notify.ts'
import { registerEvents } from '../routes.ts'
import { publishChange, publishChangeToWholesalers } from './publish-change.ts'
import { createServerEvents } from './server-events.ts'

const server = await startTestServer()
const { db, pool } = server.deps
const address = await server.app.listen({ port: 0, host: '127.0.0.1' })
const tellSigned = (tx: Db, { id }: TestPerson) =>
  notify(server.deps, tx, 'buyerSigned', {
    about: { dealId: newId(), carId: newId(), vin: '1HGCM82633A004352', sellerId: id, buyerId: id },
    facts: { car: '2003 Honda Accord', buyer: 'Ben Buyer', sellersMove: 'sign' },
  })

/** Waits long enough for a busy machine. */
const soon = <T>(check: () => T | Promise<T>) => vi.waitFor(check, 10_000)

/** Waits until the page has received exactly these events. */
const hears = (page: Page | undefined, ...events: string[][]) =>
  soon(() => expect(page?.heard).toEqual(events))

/** Terminates the listening connections of all servers. */
const cutListeners = () =>
  pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'keyturn-server-events' and datname = current_database()`,
  )

/** Waits for the position that the page has received (`contract/shared/pages.ts`). */
const stated = (page: Page | undefined) =>
  soon(() => expect(page?.position).toBeDefined()).then(() => page?.position ?? '')

// R-notifications-19
test('sends a page exactly the changes between its first query and its stream, in any process', async () => {
  const [buyer, seller, second] = [await aBuyer(server), await aSeller(server), await openSecond()]
  const witness = await open(buyer)
  const elsewhere = await open(seller, second)
  await publishChange(db, [buyer.id], 'accounts')
  await hears(witness, ['accounts'])
  const after = await stated(witness)
  await publishChange(db, [buyer.id], 'deals')
  await publishChange(db, [buyer.id], 'cars')
  await publishChange(db, [seller.id], 'trades')
  await hears(elsewhere, ['trades'])
  await soon(() => expect(witness.heard.flat()).toEqual(['accounts', 'deals', 'cars']))
  const late = await Promise.all(
    [{ address }, second].map((at) => open(buyer, at, { query: `?after=${after}` })),
  )
  for (const page of late) await soon(() => expect(page.heard.flat().toSorted()).toEqual(['cars', 'deals']))
  // New changes follow.
  await publishChange(db, [buyer.id], 'notifications')
  for (const page of late) await soon(() => expect(page.heard.slice(1)).toEqual([['notifications']]))
  // Heartbeats arrive between the changes.
  await soon(() => expect(elsewhere.text()).toMatch(/\n:\n\n:\n\n/))
})

// R-notifications-19
test('sends a reconnecting browser the changes since its last position, or all modules when the position is unknown', async () => {
  const buyer = await aBuyer(server)
  const cut = await open(buyer)
  await publishChange(db, [buyer.id], 'cars')
  await hears(cut, ['cars'])
  const last = await stated(cut)
  cut.leave()
  const witness = await open(buyer)
  await publishChange(db, [buyer.id], 'trades')
  await hears(witness, ['trades'])
  const [again, lost, blank] = await Promise.all([
    // The URL still has the first position of the page.
    open(buyer, undefined, { query: '?after=long-ago', headers: { 'last-event-id': last } }),
    open(buyer, undefined, { query: '?after=0123456789abcdef01234567' }),
    open(buyer, undefined, { query: '?after=' }),
  ])
  await hears(again, ['trades'])
  for (const page of [lost, blank]) await hears(page, [...serverEventModules])
})

// R-notifications-9, R-notifications-19
test('sends a committed change only to the open pages of the person', async () => {
  const [buyer, seller] = [await aBuyer(server), await aSeller(server)]
  const pages = [await open(buyer), await open(buyer)]
  const stranger = await open(seller)
  let after = ''
  await transaction(db, async (tx) => {
    await publishChange(tx, [buyer.id, buyer.id], 'deals')
    // Committed first, so it arrives first, although it was published later.
    await publishChange(db, [buyer.id], 'cars')
    for (const page of pages) await hears(page, ['cars'])
    after = await stated(pages[0])
  })
  for (const page of pages) await hears(page, ['cars'], ['deals'])
  await hears(await open(buyer, undefined, { query: `?after=${after}` }), ['deals'])
  await hearsOnlyThis(stranger, seller)
})

test('sends no event for a rollback, and one event for each commit', async () => {
  const buyer = await aBuyer(server)
  const page = await open(buyer)
  await transaction(db, async (tx) => {
    await publishChange(tx, [buyer.id], 'accounts')
    throw new Error('changed its mind')
  }).catch(() => {})
  await transaction(db, async (tx) => {
    await tellSigned(tx, buyer)
    await publishChange(tx, [buyer.id], 'cars', 'deals')
  })
  await hears(page, ['notifications', 'cars', 'deals'])
})

test('delivers a change that concerns a thousand people', async () => {
  const buyer = await aBuyer(server)
  const page = await open(buyer)
  await publishChange(db, [...Array.from({ length: 1_000 }, newId), buyer.id], 'cars')
  await hears(page, ['cars'])
})

test('sends approved wholesalers the notifications that they see and the changes for all wholesalers', async () => {
  const [buyer, wholesaler, waiting] = [
    await aBuyer(server),
    await aWholesaler(server),
    await anUnapprovedWholesaler(server),
  ]
  const [approved, unapproved] = [await open(wholesaler), await open(waiting)]
  await tellSigned(db, buyer)
  await publishChangeToWholesalers(db, 'trades')
  await soon(() => expect(approved.heard.flat()).toEqual(['notifications', 'trades']))
  await hearsOnlyThis(unapproved, waiting)
})

test('detects when the network has lost a listening connection, and makes every page reload', async () => {
  const proxy = await startLossyProxy(server.databaseUrl)
  onTestFinished(proxy.close)
  const database = openDatabase({ connectionString: proxy.connectionString })
  onTestFinished(database.close)
  const second = await openSecond({ pool: database.pool, log: server.deps.log }, 60_000)
  const buyer = await aBuyer(server)
  const page = await open(buyer, second)
  proxy.drop('old')
  await publishChange(db, [buyer.id], 'deals')
  await vi.waitFor(() => expect(page.heard).toEqual([[...serverEventModules]]), 20_000)
  await publishChange(db, [buyer.id], 'deals')
  await soon(() => expect(page.heard.at(-1)).toEqual(['deals']))
})

test('replaces the oldest page when a ninth one connects, and delays its reconnect', async () => {
  const buyer = await aBuyer(server)
  const pages = []
  for (let i = 0; i < 9; i++) pages.push(await open(buyer))
  const [oldest, ...others] = pages
  if (oldest) await ends(oldest)
  expect(oldest?.text()).toMatch(/^retry: 3000\n\nid: \w+\nevent: position\ndata:\n\nretry: 60000\n\n$/)
  await publishChange(db, [buyer.id], 'deals')
  for (const page of others) await hears(page, ['deals'])
})

test('applies an approval to an open stream, and ends a stream whose session or person is gone', async () => {
  const second = await openSecond()
  const [wholesaler, late, gone] = [
    await anUnapprovedWholesaler(server),
    await aBuyer(server),
    await aBuyer(server),
  ]
  const [stays, ...others] = await Promise.all([wholesaler, late, gone].map((one) => open(one, second)))
  await server.query('update users set approved_at = keyturn_now() where id = $1', [wholesaler.id])
  await server.query('update sessions set expires_at = keyturn_now() where user_id = $1', [late.id])
  await server.query('update users set deleted_at = keyturn_now() where id = $1', [gone.id])
  for (const page of others) await ends(page)
  await soon(async () => {
    await publishChangeToWholesalers(db, 'trades')
    expect(stays?.heard).toContainEqual(['trades'])
  })
})

const better = 'green bottles on a wall'
const twice = { password: better, confirmPassword: better }

/** Every way in which the session of an open page ends. */
const endings: Record<string, (person: TestPerson) => Promise<unknown>> = {
  'signing out': (person) => person.ask(logout),
  'a sign-in in its place': (person) => person.ask(login, { body: person }),
  'another password, chosen elsewhere': async (person) => {
    const elsewhere = server.browser()
    await elsewhere.ask(login, { body: person })
    await elsewhere.ask(changePassword, { body: { ...twice, changePasswordId: person.id } })
  },
  'a reset': async (person) => {
    await server.browser().ask(forgotPassword, { body: { email: person.email } })
    const verificationCode = await readEmailedCode(server, person.email, '/password/reset')
    await server.browser().ask(resetPassword, { body: { ...twice, verificationCode } })
  },
  'the end of the account': (person) =>
    person.ask(deleteUser, { params: { userType: 'WHOLESALER', id: person.id } }),
  'a right that was taken away': async (person) =>
    (await anAdministrator(server)).ask(declineWholesaler, { params: { userId: person.id } }),
}

test.each(Object.entries(endings))(
  'ends the stream immediately on %s, in this and in another process, and writes nothing more to it',
  async (_, endSession) => {
    const person = await aWholesaler(server)
    // The heartbeat is too slow to end the streams.
    const second = await openSecond(server.deps, 60 * 60_000)
    const pages = [await open(person), await open(person, second)]
    await endSession(person)
    const begun = performance.now()
    for (let i = 0; i < 5; i++) await publishChange(db, [person.id], 'cars')
    await publishChangeToWholesalers(db, 'trades')
    for (const page of pages) await ends(page)
    expect(performance.now() - begun).toBeLessThan(10_000)
    // Events about the end of the session may arrive, but nothing later.
    for (const page of pages) expect(page.heard.flat()).not.toContain('cars')
  },
)

test('closes a stream whose session ended while it was being opened', async () => {
  const person = await aBuyer(server)
  const second = await openSecond(server.deps, 60 * 60_000, async () => {
    await person.ask(logout)
  })
  const page = await open(person, second)
  await ends(page)
  expect(page.heard).toEqual([])
})

// R-notifications-19
test('first closes streams of sessions that ended during an outage, then makes the other pages reload', async () => {
  const [left, stays] = [await aBuyer(server), await aBuyer(server)]
  const second = await openSecond(server.deps, 60 * 60_000)
  const pages = [await open(left, second), await open(stays, second)] as const
  const before = await stated(pages[1])
  // Ends the session without a signal, as if the signal had been lost.
  await server.query('alter table sessions disable trigger session_ended')
  await left.ask(logout)
  await server.query('alter table sessions enable trigger session_ended')
  await cutListeners()
  await ends(pages[0])
  await hears(pages[1], [...serverEventModules])
  expect(pages[0].heard).toEqual([])
  await publishChange(db, [stays.id], 'deals')
  await hears(pages[1], [...serverEventModules], ['deals'])
  await hears(await open(stays, second, { query: `?after=${before}` }), [...serverEventModules])
})

test('returns a regular error to unauthorized callers', async () => {
  const stranger = await fetch(address + streamServerEvents.path)
  expect([stranger.status, (await stranger.json()).errorCode]).toEqual([401, 'InvalidAccessToken'])
  const unverified = await aNewcomer(server, 'BUYER')
  // Checks the status only, because an opened stream would not end.
  const newcomer = await fetch(address + streamServerEvents.path, {
    headers: { cookie: cookiesOf(unverified) },
  })
  expect(newcomer.status).toBe(403)
  expect((await newcomer.json()).errorCode).toBe('EmailNotVerified')
})

// R-notifications-20
test('disconnects a page that does not read, without delaying others or the shutdown', async () => {
  const events = createServerEvents(server.deps)
  await events.ready()
  const buyer = await aBuyer(server)
  const sessions = await server.query<{ id: string }>('select id from sessions where user_id = $1', [
    buyer.id,
  ])
  /** Without `write` the page reads nothing. */
  const joins = (write: (words: unknown, _: string, done: () => void) => void = () => {}) => {
    const page = new Writable({ write })
    const response = page as unknown as ServerResponse
    events.join({ userId: buyer.id, sessionId: sessions[0]?.id ?? '', wholesaler: false, response })
    return page
  }
  let text = ''
  const [clogged, idle] = [joins(), joins()]
  joins((words, _, done) => {
    text += words
    done()
  })
  clogged.write('x'.repeat(20_000))
  await publishChange(db, [buyer.id], 'deals')
  await soon(() => expect(text).toContain('event: changed\ndata: {"rooms":["deals"]}'))
  await soon(() => expect([clogged.destroyed, idle.destroyed]).toEqual([true, false]))
  const isCut = once(idle, 'close')
  await events.close()
  await isCut
})

type Page = {
  text: () => string
  heard: string[][]
  /** The last position that the page has received. */
  position: string | undefined
  isOver: boolean
  leave: () => void
}

type Says = { query?: string; headers?: Record<string, string> }

const cookiesOf = ({ cookies }: Browser) => [...cookies].map((pair) => pair.join('=')).join('; ')

/** Opens a page of this person and collects its events. */
async function open(reader: Browser, at = { address }, says: Says = {}): Promise<Page> {
  // Not `fetch`, which would open a spare connection that delays the server's shutdown.
  const request = get(at.address + streamServerEvents.path + (says.query ?? ''), {
    headers: { cookie: cookiesOf(reader), ...says.headers },
    agent: false,
  })
  onTestFinished(() => void request.destroy())
  const [response]: IncomingMessage[] = await once(request, 'response')
  const answer = [response?.statusCode, response?.headers['content-type']]
  expect(answer).toEqual([200, 'text/event-stream; charset=utf-8'])
  let text = ''
  response?.setEncoding('utf8').on('data', (words) => {
    text += words
  })
  return {
    text: () => text,
    get heard() {
      return [...text.matchAll(/event: changed\ndata: (.*)\n\n/g)].map(
        ([, data]) => JSON.parse(data ?? '').rooms,
      )
    },
    get position() {
      return [...text.matchAll(/^id: (\w+)$/gm)].at(-1)?.[1]
    },
    get isOver() {
      return response?.closed === true
    },
    leave: () => void request.destroy(),
  }
}

/** Waits for the server to end the stream. */
const ends = (page: Page) => vi.waitFor(() => expect(page.isOver).toBe(true), 20_000)

/** Events arrive in commit order, so anything earlier would be listed before this change. */
async function hearsOnlyThis(page: Page, reader: TestPerson) {
  await publishChange(db, [reader.id], 'accounts')
  await hears(page, ['accounts'])
}

/**
 * Opens another server on the same database, by default with a fast heartbeat. `known` runs once
 * the caller is known.
 */
async function openSecond(
  deps: Pick<Deps, 'pool' | 'log'> = server.deps,
  heartbeatMs = 50,
  known = async () => {},
) {
  const app = fastify()
  app.setErrorHandler(createErrorHandler(server.deps.onApiError))
  const events = createServerEvents(deps, { heartbeatMs })
  const find: HttpContext['findSessions'] = async (request, wanted) => {
    const found = await createSessionFinder(server.deps)(request, wanted)
    await known()
    return found
  }
  registerEvents(
    {
      app,
      findSessions: find,
      checkRateLimit: () => undefined,
      adminAuditLog: { admit: () => undefined, finish: async () => undefined },
      runRead: createReadRouter({ ...server.deps, standbys: null }),
      runOnce: async (_owner, _call, _request, _reply, { run, write }) => write(await run()),
    },
    events,
  )
  const close = () => app.close()
  onTestFinished(close)
  return { address: await app.listen({ port: 0, host: '127.0.0.1' }), close }
}
