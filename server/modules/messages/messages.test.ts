import { randomBytes } from 'node:crypto'
import * as calls from '@keyturn/contract/messages/endpoints.ts'
import { listNotifications } from '@keyturn/contract/notifications/endpoints.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { aBuyer, anAdministrator, readEmailsTo, type TestPerson } from '../../../tests/support/people.ts'
import {
  anotherRequest,
  deleteAccount,
  listCarsOf,
  listRequestsOn,
  withdraw,
} from '../../../tests/support/sales/deal-moves.ts'
import {
  aSaleAt,
  completeSale,
  readProgressOf,
  type Sale,
  type SaleStage,
  signAsBuyer,
  signAsSeller,
  turnDown,
} from '../../../tests/support/sales/deals.ts'
import { connectClient, openSecondSession, waitForLockWait } from '../../../tests/support/second-session.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'

const server = await startTestServer()
const meanwhile = await openSecondSession(server)

type Talk = Sale & { params: { dealId: string } }
async function aTalk(stage: SaleStage = 'requested'): Promise<Talk> {
  const sale = await aSaleAt(server, stage)
  return { ...sale, params: { dealId: (await readProgressOf(sale))._id } }
}
const write = (by: TestPerson, { params }: Pick<Talk, 'params'>, text = 'Is it still there?') =>
  by.ask(calls.sendMessage, { params, body: { text } })
const tryToWrite = (by: TestPerson, { params }: Pick<Talk, 'params'>, text = 'Is it still there?') =>
  by.send(calls.sendMessage, { params, body: { text } })
const read = async (by: TestPerson, { params }: Pick<Talk, 'params'>, query = {}) =>
  by.ask(calls.readMessages, { params, query })
const textsOf = async (by: TestPerson, talk: Pick<Talk, 'params'>) =>
  (await read(by, talk)).messages.map(({ text }) => text)
const see = (by: TestPerson, { params }: Pick<Talk, 'params'>, upTo: string) =>
  by.ask(calls.markMessagesSeen, { params, body: { upTo } })

describe('writing', () => {
  // R-deals-117
  test('returns DealPaused when the other party is suspended after the check', async () => {
    const talk = await aTalk()
    const other = await connectClient(server.databaseUrl)
    await other.query('begin; lock table deal_messages in share mode')
    const sent = tryToWrite(talk.buyer, talk)
    await waitForLockWait(server)
    await server.query(
      `insert into suspensions (id, user_id, reason, note, suspended_by) values ($1, $2, 'FRAUD', 'Why', 'admin')`,
      ['c'.repeat(24), talk.seller.id],
    )
    await other.query('commit')
    const { status, error } = await sent
    expect([status, error.errorCode]).toEqual([409, 'DealPaused'])
  })

  // R-deals-83
  test('is open to both parties once a request exists, and both read the same messages', async () => {
    const talk = await aTalk('requested')
    const { seller, buyer } = talk
    await write(buyer, talk, 'Is it still there?')
    await write(seller, talk, 'Yes. Come by on Saturday.')
    const { messages, isOpen } = await read(seller, talk)
    expect(isOpen).toBe(true)
    expect(messages).toMatchObject([
      { text: 'Is it still there?', name: 'Basil Byrd', isMine: false, isNew: true },
      { text: 'Yes. Come by on Saturday.', name: 'Selma Sanders', isMine: true, isNew: false },
    ])
    expect((await read(buyer, talk)).messages.map(({ isMine }) => isMine)).toEqual([true, false])
  })

  // R-deals-83
  test('returns the same 404 as for a missing deal to everyone else', async () => {
    const talk = await aTalk()
    const { buyer: rival } = await anotherRequest(server, talk)
    const { _id: messageId } = await write(talk.buyer, talk)
    for (const params of [talk.params, { dealId: randomBytes(12).toString('hex') }]) {
      const all = [
        await rival.send(calls.readMessages, { params }),
        await tryToWrite(rival, { params }),
        await rival.send(calls.markMessagesSeen, { params, body: { upTo: messageId } }),
        await rival.send(calls.exportMessages, { params }),
        await rival.send(calls.reportMessage, { params: { ...params, messageId }, body: { reason: 'Spam' } }),
      ]
      expect(new Set(all.map(({ body }) => body)).size).toBe(1)
      expect(all.map(({ status }) => status)).toEqual(Array(5).fill(404))
    }
    expect(await server.query('select message_id from message_reports')).toEqual([])
  })

  // R-deals-83
  test('is not possible before there is a request', async () => {
    const talk = await aTalk('started')
    expect((await tryToWrite(talk.seller, talk)).error.errorCode).toBe('NotFound')
    expect((await tryToWrite(talk.buyer, talk)).error.errorCode).toBe('MessagesClosed')
  })

  const ends: [name: string, from: SaleStage, end: (talk: Talk) => Promise<unknown>][] = [
    ['the request was denied', 'requested', turnDown],
    ['the request was withdrawn', 'confirmed', withdraw],
    ['the sale is complete', 'passed', (talk) => completeSale(server, talk)],
  ]
  // R-deals-83
  test.each(ends)('ends when %s, while earlier messages stay readable', async (_, stage, end) => {
    const talk = await aTalk(stage)
    await write(talk.buyer, talk)
    await end(talk)
    const over = { isOpen: false, messages: [{ text: 'Is it still there?' }] }
    for (const by of [talk.seller, talk.buyer]) {
      expect((await tryToWrite(by, talk, 'And now?')).error.errorCode).toBe('MessagesClosed')
      expect(await read(by, talk)).toMatchObject(over)
    }
  })
})

describe('a message', () => {
  let shared: Talk
  beforeAll(async () => {
    shared = await aTalk()
  })

  // R-deals-84
  test.each([
    ['markup as it is', '<b onclick=alert(1)>hello</b>'],
    ['a link of a script as text', 'javascript:alert(1)'],
    ['several lines', 'One\r\nTwo\n\nThree'],
    ['emojis', '👍🏽 👨‍👩‍👧'],
    ['2,000 characters', 'x'.repeat(2000)],
    ['no override of its direction', 'pay \u202Egpj.exe\u2066', 'pay gpj.exe'],
  ])('preserves %s', async (_, text, stored = text) => {
    await write(shared.buyer, shared, text)
    expect((await textsOf(shared.seller, shared)).at(-1)).toBe(stored)
  })

  // R-deals-84
  test('is rejected when it is too long, empty or invisible, or has control characters', async () => {
    const before = await textsOf(shared.seller, shared)
    for (const [text, sentence] of [
      ['x'.repeat(2001), 'Please keep this to 2,000 characters.'],
      ['', 'Please enter a message.'],
      [' \u200b\u202e ', 'Please enter a message.'],
      ['a\u0000b', undefined],
      ['a\u0007b', 'Please use only letters, numbers and common symbols.'],
    ] as const) {
      const { status, error } = await tryToWrite(shared.buyer, shared, text)
      expect([status, error.errors?.[0]?.message]).toEqual([400, sentence])
    }
    expect(await textsOf(shared.seller, shared)).toEqual(before)
  })

  // R-deals-83
  test('cannot be inserted by third parties or on ended deals, or edited, in the database', async () => {
    const talk = await aTalk()
    const other = await aBuyer(server)
    const { _id } = await write(talk.buyer, talk)
    const insert = (by: string, text: string | null = 'Hello') =>
      server.query('insert into deal_messages (id, deal_id, sender_id, text) values ($1, $2, $3, $4)', [
        randomBytes(12).toString('hex'),
        talk.params.dealId,
        by,
        text,
      ])
    await expect(insert(other.id)).rejects.toMatchObject({ constraint: 'messages_are_between_the_two' })
    await expect(insert(talk.buyer.id, null)).rejects.toMatchObject({ constraint: 'messages_say_something' })
    const changed = server.query(`update deal_messages set text = 'Never said' where id = $1`, [_id])
    await expect(changed).rejects.toMatchObject({ constraint: 'messages_are_only_forgotten' })
    const report = (by: string) =>
      server.query(`insert into message_reports (message_id, reporter_id, reason) values ($1, $2, 'x')`, [
        _id,
        by,
      ])
    for (const by of [talk.buyer.id, other.id])
      await expect(report(by)).rejects.toMatchObject({ constraint: 'reports_are_by_who_got_it' })
    await turnDown(talk)
    await expect(insert(talk.buyer.id)).rejects.toMatchObject({ constraint: 'messages_are_between_the_two' })
  })

  // R-deals-83
  test('is not part of the signed package', async () => {
    const talk = await aTalk('confirmed')
    await write(talk.buyer, talk, 'With the winter tires')
    await signAsSeller(talk)
    await signAsBuyer(talk)
    const [row] = await server.query<{ found: boolean }>(
      `select bool_or(words like '%winter%') as found from (
        select sheet as words from signatures union all select contents::text from packages
        union all select facts::text from deal_events) stored`,
    )
    expect(row?.found).toBe(false)
  })
})

describe('a new message', () => {
  // R-deals-85
  test('is counted on the request and the other party’s dashboard until it has been shown', async () => {
    const talk = await aTalk()
    const { seller, buyer } = talk
    const first = await write(buyer, talk)
    const second = await write(buyer, talk, 'Hello?')
    const counts = async () => {
      const [sold] = await listCarsOf(seller)
      const [bought] = await listCarsOf(buyer)
      const [request] = await listRequestsOn(talk)
      return [sold?.newMessages, request?.newMessages, bought?.newMessages]
    }
    expect(await counts()).toEqual([2, 2, 0])
    await see(seller, talk, first._id)
    expect(await counts()).toEqual([1, 1, 0])
    await see(seller, talk, second._id)
    // The read position never goes back.
    await see(seller, talk, first._id)
    const answer = await write(seller, talk, 'Yes')
    expect(await counts()).toEqual([0, 0, 1])
    await see(buyer, talk, answer._id)
    expect(await counts()).toEqual([0, 0, 0])
  })

  // R-deals-85
  test('is on the first page; older pages follow without gaps or duplicates', async () => {
    const talk = await aTalk()
    for (let n = 1; n <= 7; n++) await write(n % 2 ? talk.buyer : talk.seller, talk, `${n}`)
    let before: object = {}
    for (const expected of [['5', '6', '7'], ['2', '3', '4'], ['1']]) {
      const page = await read(talk.seller, talk, { limit: 3, ...before })
      expect(page.messages.map(({ text }) => text)).toEqual(expected)
      before = { cursor: page.next }
    }
    expect(before).toEqual({ cursor: null })
  })

  // R-deals-86
  test('is announced to the other party in the app and by email', async () => {
    const talk = await aTalk()
    await write(talk.buyer, talk, 'Is it\nstill there?')
    const wrote = 'Basil Byrd wrote to you about your 2003 Honda Accord EX'
    expect((await talk.seller.ask(listNotifications))[0]).toMatchObject({
      type: 'Buyer_Agreement',
      message: `${wrote}.`,
      counts: true,
      place: { kind: 'car' },
    })
    const [mail] = await readEmailsTo(server, talk.seller.email)
    expect(mail?.subject).toBe(wrote)
    for (const text of [
      'Basil Byrd wrote: “Is it still there?”',
      'Please do not reply to this email: replies are not read. Use the button to answer.',
    ])
      expect(mail?.text).toContain(text)
  })
})

describe('a report', () => {
  // R-deals-88
  test('reaches the administrator once, and the sender does not see it', async () => {
    const talk = await aTalk()
    const administrator = await anAdministrator(server)
    const { _id: messageId } = await write(talk.buyer, talk, 'Wire the money first')
    const params = { ...talk.params, messageId }
    const own = await talk.buyer.send(calls.reportMessage, { params, body: { reason: 'Mine' } })
    expect(own.error.errorCode).toBe('NotFound')
    await talk.seller.ask(calls.reportMessage, { params, body: { reason: 'A fraud' } })
    await talk.seller.ask(calls.reportMessage, { params, body: { reason: 'Another word' } })
    const [report, ...others] = (await administrator.ask(calls.listReports)).filter(
      ({ _id }) => _id === messageId,
    )
    expect(others).toEqual([])
    expect(report).toMatchObject({
      text: 'Wire the money first',
      reason: 'A fraud',
      sender: 'Basil Byrd',
      senderEmail: talk.buyer.email,
      reporter: 'Selma Sanders',
      car: '2003 Honda Accord EX',
      handledAt: null,
    })
    expect((await read(talk.seller, talk)).messages[0]?.isReported).toBe(true)
    expect((await read(talk.buyer, talk)).messages[0]?.isReported).toBe(false)
    await administrator.ask(calls.handleReport, { params: { messageId } })
    await administrator.ask(calls.handleReport, { params: { messageId } })
    const [handled] = await administrator.ask(calls.listReports, { query: { limit: 1 } })
    expect(handled?.handledAt).not.toBeNull()
    const none = await administrator.send(calls.handleReport, { params: { messageId: talk.params.dealId } })
    expect(none.error.errorCode).toBe('NotFound')
  })
})

describe('a conversation', () => {
  // R-deals-87
  test('can be downloaded as a file', async () => {
    const talk = await aTalk()
    await write(talk.buyer, talk, 'Is it still there?\nHello')
    await write(talk.seller, talk, 'Yes')
    const sent = await talk.seller.send(calls.exportMessages, { params: talk.params })
    expect(sent.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': `attachment; filename="messages-${talk.car.vin}.txt"`,
    })
    expect(sent.body).toContain('Messages about the 2003 Honda Accord EX')
    expect(sent.body).toContain('not part of the agreement')
    expect(sent.body).toMatch(/Z Basil Byrd\n> Is it still there\?\n> Hello\n\n.*Z Selma Sanders\n> Yes\n$/)
  })

  // R-deals-92
  test('keeps its messages apart in the file, whatever line breaks they contain', async () => {
    const talk = await aTalk()
    const breaks = [
      '\n',
      '\r',
      '\r\n',
      '\u2028',
      '\u2029',
      '\v',
      '\f',
      '\u0085',
      '\n\u202e',
      '\n\u200b',
      '\n\b\b',
    ]
    for (const [number, lineBreak] of breaks.entries()) {
      const forged = ['Hello', '', '2026-01-01T00:00:00.000Z Selma Sanders', '> Sold for $1'].join(lineBreak)
      // Bypasses the field's checks, like a row written by an earlier version.
      await server.query(`insert into deal_messages (id, deal_id, sender_id, text) values ($1, $2, $3, $4)`, [
        String(number).padStart(12, 'a') + talk.params.dealId.slice(12),
        talk.params.dealId,
        talk.buyer.id,
        forged,
      ])
    }
    const { body } = await talk.seller.send(calls.exportMessages, { params: talk.params })
    const lines = String(body).split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)
    const headings = lines.filter((line) => /Z (Selma|Basil) /.test(line) && !line.startsWith('> '))
    expect(headings).toEqual(
      Array(breaks.length).fill(expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z Basil Byrd$/)),
    )
    expect(body).not.toMatch(/[^\P{C}\n]/u)
  })

  // R-deals-87
  test('is streamed completely and in order when it is long', async () => {
    const talk = await aTalk()
    await server.query(
      `insert into deal_messages (id, deal_id, sender_id, text)
        select substr(md5(n::text || $1), 1, 24), $1, $2, 'Number ' || n from generate_series(1, 405) n order by n`,
      [talk.params.dealId, talk.buyer.id],
    )
    const { body } = await talk.seller.send(calls.exportMessages, { params: talk.params })
    expect([...String(body).matchAll(/^> Number (\d+)$/gm)].map(([, n]) => Number(n))).toEqual(
      Array.from({ length: 405 }, (_, n) => n + 1),
    )
  })

  // R-deals-87
  test('loses the name of a party who deletes their account, and its texts when the last party does', async () => {
    const talk = await aTalk()
    await write(talk.buyer, talk)
    await deleteAccount(talk.buyer, 'BUYER')
    const [message] = (await read(talk.seller, talk)).messages
    expect([message?.text, message?.name]).toEqual(['Is it still there?', 'Deleted user'])
    await deleteAccount(talk.seller, 'SELLER')
    const rows = await server.query('select text from deal_messages where deal_id = $1', [talk.params.dealId])
    expect(rows).toEqual([{ text: null }])
  })

  // R-deals-87
  test('stores no read position for a person whose account is deleted concurrently', async () => {
    const talk = await aTalk()
    const { _id: upTo } = await write(talk.seller, talk)
    const { status } = await meanwhile(talk.buyer.id, 'deleted_at = now(), email = null', () =>
      talk.buyer.send(calls.markMessagesSeen, { params: talk.params, body: { upTo } }),
    )
    expect(status).toBe(401)
    expect(await server.query('select from messages_seen where person_id = $1', [talk.buyer.id])).toEqual([])
  })
})
