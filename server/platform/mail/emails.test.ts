import { escapeHtml } from '@keyturn/contract/shared/html.ts'
import { afterEach, expect, test } from 'vitest'
import { createEmailSender, startMailServer } from '../../../tests/support/jobs/mail-server.ts'
import { startSmtpReceiver } from '../../../tests/support/smtp-receiver.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { smtpMailer } from '../../integrations/smtp/mailer.ts'
import { transaction } from '../database/open-database.ts'
import { addJob } from '../jobs/jobs.ts'
import { renderEmailHtml, renderEmailText } from './email-content.ts'
import { enqueueEmail } from './email-queue.ts'
import { sentence } from './sentence.ts'

const server = await startTestServer({
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'Keyturn <post@keyturn.example>',
})
await server.query('delete from jobs')
const letter = {
  subject: sentence`A test`,
  lines: [sentence`One & only`],
  button: { label: 'Go', href: 'https://example.com/?a=1&b=2' },
}

type Row = { attempts: number; sent: boolean; dead: boolean; html: string; failed_because: string | null }
async function row(to: string): Promise<Row | undefined> {
  const states = 'sent_at is not null as sent, dead_at is not null as dead'
  const [mail] = await server.query<Row>(`select *, ${states} from mails where recipient = $1`, [to])
  return mail
}
const clock = (seconds: number) => server.moveClock(`${seconds} seconds`)
afterEach(async () => {
  await clock(0)
  await server.query('delete from jobs')
})
const write = (to: string, validForMs?: number) =>
  enqueueEmail(server.deps, server.deps.db, { id: null, email: to }, letter, { validForMs })

test('sends an email once when the second attempt succeeds, and deletes its text', async () => {
  const { received, tries, post } = await startMailServer(server, {
    answer: (tries) => (tries === 1 ? 451 : undefined),
  })
  await write('slow@example.com')
  expect(await row('slow@example.com')).toMatchObject({ attempts: 0, sent: false })
  await post()
  expect(await row('slow@example.com')).toMatchObject({ attempts: 1, sent: false, dead: false })
  await post()
  expect(tries()).toBe(1)
  await clock(13)
  await post()
  await post()
  expect(received.map(({ to }) => to)).toEqual(['slow@example.com'])
  expect(await row('slow@example.com')).toMatchObject({ attempts: 2, sent: true, html: '' })
  expect(await server.query('select 1 from jobs')).toEqual([])
})

// R-notifications-10
test('sends identical bytes at each attempt, including Message-ID, date and attachments', async () => {
  const { received, url } = await startSmtpReceiver()
  const mailer = smtpMailer(url, 'Keyturn <post@keyturn.example>')
  const mail = {
    messageId: '<one@keyturn.example>',
    date: new Date('2026-11-21T20:04:00Z'),
    to: 'twice@example.com',
    subject: 'Twice',
    html: '<p>x</p>',
    text: 'x',
    files: [{ filename: 'a.pdf', contentType: 'application/pdf', content: Buffer.from('a PDF') }],
  }
  expect(await mailer.send(mail)).toEqual({ outcome: 'delivered' })
  await mailer.send(mail)
  const [first, second] = received
  expect(first?.messageId).toBe(mail.messageId)
  expect(second).toEqual(first)
  mailer.close()
})

// R-notifications-11
test('does not let user input add email headers', async () => {
  const { received, post } = await startMailServer(server)
  const words = 'Ann\r\nBcc: all@evil.example\r\n\r\nHello\u2028\u202eBaker'
  const hostile = { ...letter, subject: sentence`${words} withdrew the request` }
  await enqueueEmail(server.deps, server.deps.db, { id: null, email: 'header@example.com' }, hostile)
  await post()
  expect(received).toMatchObject([
    { to: 'header@example.com', subject: 'Ann Bcc: all@evil.example Hello Baker withdrew the request' },
  ])
  const [head = ''] = received[0]?.body.split('\r\n\r\n') ?? []
  expect(head).not.toMatch(/^bcc/im)
})

// R-notifications-10
test('increases delays from 10 s to 1 h with up to 20 % jitter, and gives up after a day', async () => {
  const { post } = await startMailServer(server, { answer: () => 451 })
  await write('full@example.com')
  const tried: number[] = []
  // The last delay begins before 24 h have passed.
  for (let second = 0; second < 86_400 + 1.2 * 3600 + 10; ) {
    await clock(second)
    if ((await post()) > 0) tried.push(second)
    const [next] = await server.query<{ seconds: number }>(
      `select ceil(extract(epoch from run_at - now()))::int as seconds from jobs where name = 'send-mail'`,
    )
    if (!next) break
    second = Math.max(next.seconds, second + 1)
  }
  const pauses = tried.slice(1).map((second, index) => second - (tried[index] ?? 0))
  const wanted = [10, 30, 120, 600, 3600, 3600]
  for (const [index, pause] of wanted.entries())
    expect([pauses[index] ?? 0, pause]).toSatisfy(([is = 0]) => is > pause - 3 && is < pause * 1.2 + 3)
  expect(pauses.some((pause, index) => Math.abs(pause - (wanted[index] ?? 3600)) >= 3)).toBe(true)
  expect(tried.at(-1)).toBeGreaterThan(86_400)
  expect(await row('full@example.com')).toMatchObject({ sent: false, dead: true })
})

test('sends an email once the server can be reached again, after any downtime', async () => {
  const toNobody = createEmailSender(server, 'smtp://127.0.0.1:1')
  await write('waiting@example.com')
  for (let second = 0; second <= 3600; second += 61) {
    await clock(second)
    await toNobody()
  }
  const { received, post } = await startMailServer(server)
  await clock(3700)
  await post()
  expect(received.map(({ to }) => to)).toEqual(['waiting@example.com'])
})

test('does not resend an email when the database becomes unavailable after the delivery', async () => {
  const { received, post } = await startMailServer(server, {
    beforeAccepting: async () => {
      await server.query('alter table mails rename to mails_away')
      setTimeout(() => void server.query('alter table mails_away rename to mails'), 1500)
    },
  })
  await write('taken@example.com')
  await post()
  expect(await row('taken@example.com')).toMatchObject({ sent: true, attempts: 1 })
  await clock(121)
  expect(await post()).toBe(0)
  expect(received).toHaveLength(1)
})

test('does not send an expired code', async () => {
  const { received, post } = await startMailServer(server)
  await write('late@example.com', 60_000)
  await clock(61)
  await post()
  expect(received).toEqual([])
  expect(await row('late@example.com')).toMatchObject({ dead: true, failed_because: 'its code has expired' })
})

test.each([
  ['sent', undefined],
  ['given up', 550],
])('does not send an email that was %s when its job runs again', async (state, answer) => {
  const { tries, post } = await startMailServer(server, { answer: () => answer })
  const to = `once-${answer}@example.com`
  await write(to)
  await post()
  const [mail] = await server.query<{ id: string }>('select id from mails where recipient = $1', [to])
  await addJob(server.deps.db, 'send-mail', { id: mail?.id })
  await clock(100_000)
  await post()
  expect(tries()).toBe(1)
  expect(await row(to)).toMatchObject({ attempts: 1, sent: state === 'sent', dead: state === 'given up' })
})

test('sends no email when its transaction is rolled back', async () => {
  const undone = transaction(server.deps.db, async (tx) => {
    await enqueueEmail(server.deps, tx, { id: null, email: 'never@example.com' }, letter)
    throw new Error('rolled back')
  })
  await expect(undone).rejects.toThrow('rolled back')
  expect(await row('never@example.com')).toBeUndefined()
})

test('renders text and HTML, and escapes markup', () => {
  const nasty = {
    subject: sentence`${'<b>'}`,
    lines: [sentence`${'"><script>alert(1)</script>'}`],
    button: { label: 'Go', href: 'https://x.example/?a="b"&c' },
  }
  expect(renderEmailHtml(nasty)).not.toMatch(/<script|<b>|"b"/)
  expect(renderEmailText(letter)).toBe(
    'Hello,\n\nOne & only\n\nGo: https://example.com/?a=1&b=2\n\nKeyturn\n',
  )
  expect(escapeHtml(`<&>"'`)).toBe('&lt;&amp;&gt;&quot;&#39;')
})
