import { generateKeyPairSync } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { startMailServer } from '../../../tests/support/jobs/mail-server.ts'
import { removeOldRows } from '../../../tests/support/jobs/remove-old-rows.ts'
import { aSeller, type TestPerson } from '../../../tests/support/people.ts'
import { type ReceiverOptions, readHeader } from '../../../tests/support/smtp-receiver.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import type { EmailContent } from './email-content.ts'
import { enqueueEmail, listQueuedEmails, resendEmail } from './email-queue.ts'
import { sentence } from './sentence.ts'

const server = await startTestServer({
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'Keyturn <post@keyturn.example>',
})
const offers = 'offers'
const deal = 'd'.repeat(24)

/** A user whose registration emails are ignored, and their mail server. */
async function aReader(manners?: ReceiverOptions, dkim = server.deps.config.dkim) {
  const reader = await aSeller(server)
  await server.query('delete from jobs')
  await server.query('delete from mails')
  await server.query('delete from mail_bounces')
  return { reader, ...(await startMailServer(server, manners, { dkim })) }
}
const letterOf = (what: string): EmailContent => ({
  subject: sentence`${what}`,
  lines: [sentence`It was ${what}.`],
  button: { label: 'Open', href: `https://keyturn.example/home?${what.replaceAll(' ', '-')}` },
})
const write = ({ id, email }: TestPerson, what: string, thread: string | null = deal, kind = offers) =>
  enqueueEmail(server.deps, server.deps.db, { id, email }, letterOf(what), { kind, thread })
const needed = ({ id, email }: TestPerson, what: string) =>
  enqueueEmail(server.deps, server.deps.db, { id, email }, letterOf(what))

const at = (seconds: number) => server.moveClock(`${seconds} seconds`)
afterEach(() => at(0))

// R-notifications-13
test('combines emails about one deal within two minutes, but not those about other deals or with codes', async () => {
  const { reader, received, subjects, post } = await aReader()
  await write(reader, 'an offer')
  await at(50)
  await write(reader, 'a trade')
  await write(reader, 'elsewhere', 'e'.repeat(24))
  await needed(reader, 'a code')
  await post()
  expect(subjects()).toEqual(['a code'])
  await at(121)
  await post()
  expect(subjects()).toEqual(['a code', 'a trade, and 1 more update'])
  await at(172)
  await post()
  expect(subjects()).toEqual(['a code', 'a trade, and 1 more update', 'elsewhere'])
  const [, both, other] = received.map(({ body }) => body.replaceAll('=\r\n', '').replaceAll('=3D', '='))
  // Oldest first, each with its own button.
  expect(both).toMatch(
    /1\. an offer\s+It was an offer\.[\s\S]+home\?an-offer[\s\S]+2\. a trade\s+It was a trade\.[\s\S]+home\?a-trade/,
  )
  // Emails about one deal form a thread.
  for (const name of ['References', 'In-Reply-To']) {
    expect(readHeader(both ?? '', name)).toBe(`<deal-${deal}@keyturn.example>`)
    expect(readHeader(other ?? '', name)).toBe(`<deal-${'e'.repeat(24)}@keyturn.example>`)
  }
  expect(await server.query('select 1 from jobs')).toEqual([])
  expect(await server.query(`select 1 from mails where html <> '' or letter is not null`)).toEqual([])
})

// R-notifications-13
test('keeps the text, Message-ID and date after an attempt, and sends later events separately', async () => {
  const { reader, received, subjects, post } = await aReader({
    answer: (tries) => (tries === 1 ? 451 : undefined),
  })
  await write(reader, 'first')
  await at(121)
  await post()
  const [tried] = await server.query<{ message_id: string; begun_at: Date }>(
    'select message_id, begun_at from mails',
  )
  await write(reader, 'second')
  await at(300)
  await post()
  expect(subjects().sort()).toEqual(['first', 'second'])
  expect(new Set(received.map(({ messageId }) => messageId)).size).toBe(2)
  // The second attempt sends the email of the first, with its Message-ID and date.
  const [first] = received.filter(({ subject }) => subject === 'first')
  expect(first?.messageId).toBe(tried?.message_id)
  const seconds = (moment: Date | string) => Math.floor(new Date(moment).getTime() / 1000)
  expect(seconds(readHeader(first?.body ?? '', 'Date'))).toBe(seconds(tried?.begun_at ?? ''))
})

// R-notifications-14
test('sends at most ten optional emails an hour, and combines the rest with the next one', async () => {
  const { reader, received, subjects, post } = await aReader()
  for (let number = 1; number <= 14; number++)
    await write(reader, `event ${number}`, String(number).padStart(24, '0'))
  await at(121)
  await post()
  expect(received).toHaveLength(10)
  await needed(reader, 'a code')
  await post()
  expect(subjects().at(-1)).toBe('a code')
  const { mails } = await listQueuedEmails(server.deps)
  expect(mails.map(({ heldBack }) => heldBack)).toEqual([true, true, true, true])
  await at(3700)
  await post()
  await at(3800)
  await post()
  expect(received).toHaveLength(12)
  expect(subjects().at(-1)).toBe('event 14, and 3 more updates')
  expect(received.at(-1)?.body.replaceAll('=\r\n', '')).toContain('so that you would not get too many emails')
})

// R-notifications-12
test('sends only required emails to a bounced address until it is verified again', async () => {
  let isThere = false
  const { reader, subjects, post } = await aReader({ answer: () => (isThere ? undefined : 550) })
  await write(reader, 'an offer')
  await at(121)
  await post()
  const bounces = () => server.query('select address, because from mail_bounces')
  expect(await bounces()).toEqual([{ address: reader.email, because: expect.stringContaining('not now') }])
  isThere = true
  await write(reader, 'not sent')
  await needed(reader, 'a code')
  await at(300)
  await post()
  expect(subjects()).toEqual(['a code'])
  // Emails of another user to the same address are not affected.
  const other = await aSeller(server)
  await write({ ...other, email: reader.email }, 'to another account')
  await at(500)
  await post()
  expect(subjects()).toContain('to another account')
})

test.each([
  ['451 4.7.0 later', 0],
  ['550 5.1.1 no such person', 1],
  ['552 5.2.2 mailbox full', 1],
  ['550 5.7.1 we want nothing from you', 0],
  ['554 5.7.1 relaying denied', 0],
  ['535 5.7.8 who are you', 0],
])('counts "%s" as a bounce of the address: %i', async (reply, isAddress) => {
  const { reader, post } = await aReader({
    answer: () => Number(reply.slice(0, 3)),
    rejection: reply.slice(4),
  })
  await write(reader, 'an offer')
  await at(121)
  await post()
  expect(await server.query('select 1 from mail_bounces where user_id = $1', [reader.id])).toHaveLength(
    isAddress,
  )
})

test('resends a given-up email unchanged when an administrator asks, unless it had a code', async () => {
  let isThere = false
  const { reader, received, post } = await aReader({ answer: () => (isThere ? undefined : 550) })
  await write(reader, 'an offer')
  const to = { id: reader.id, email: `new-${reader.email}` }
  await enqueueEmail(server.deps, server.deps.db, to, letterOf('a code'), { validForMs: 3_600_000 })
  await at(121)
  await post()
  const queue = await listQueuedEmails(server.deps)
  expect(queue).toMatchObject({ waiting: 0, failed: 2 })
  const [offer, code] = ['offers', null].map((kind) => queue.mails.find((mail) => mail.kind === kind))
  expect(offer).toMatchObject({ hasContent: true, failedBecause: expect.stringContaining('550') })
  expect(code?.hasContent).toBe(false)
  const ids = await server.query<{ message_id: string }>(`select message_id from mails where kind = 'offers'`)
  isThere = true
  expect(await resendEmail(server.deps, code?.id ?? '')).toBeNull()
  expect(await resendEmail(server.deps, offer?.id ?? '')).not.toBeNull()
  expect(await resendEmail(server.deps, offer?.id ?? '')).toBeNull()
  await post()
  expect(received.map(({ messageId }) => messageId)).toEqual([ids[0]?.message_id])
  expect(await server.query('select address from mail_bounces')).toEqual([{ address: `new-${reader.email}` }])
})

test('deletes the text of a given-up email after a week', async () => {
  const { reader, post } = await aReader({ answer: () => 550 })
  await write(reader, 'an offer')
  await at(121)
  await post()
  const words = () => server.query(`select 1 from mails where html <> '' or text <> '' or subject <> ''`)
  await server.moveClock('7 days')
  await removeOldRows(server)
  expect(await words()).toHaveLength(1)
  await server.moveClock('8 days')
  await removeOldRows(server)
  expect(await words()).toEqual([])
})

test('signs an email for its sender domain, including subject and Message-ID', async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const dkim = { domainName: 'keyturn.example', keySelector: 'mail', privateKey: pem }
  const { reader, received, post } = await aReader(undefined, dkim)
  await needed(reader, 'a code')
  await post()
  const signature = readHeader(received[0]?.body ?? '', 'DKIM-Signature').toLowerCase()
  for (const tag of ['d=keyturn.example;', 's=mail;', ' b=']) expect(signature).toContain(tag)
  for (const name of ['from', 'to', 'subject', 'message-id']) expect(signature).toContain(name)
})
