import { listAgreements } from '@keyturn/contract/agreements/endpoints.ts'
import { expect, test } from 'vitest'
import { deleteAccount } from '../../../tests/support/sales/deal-moves.ts'
import { completeSale, sellerSignature, tryToUpdateProgress } from '../../../tests/support/sales/deals.ts'
import { aSignedDeal, readStoredPdfs } from '../../../tests/support/sales/signed-deals.ts'
import { recordSecret } from '../../../tests/support/secrets.ts'
import { type SmtpReceiver, startSmtpReceiver } from '../../../tests/support/smtp-receiver.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import type { Deps } from '../../deps.ts'
import { runDueJobs } from '../../platform/jobs/jobs.ts'
import { createEmailTasks } from '../../platform/mail/email-tasks.ts'
import { saleTasks } from '../../tasks.ts'
import { agreementAttachments } from './agreement-pdf-store.ts'

const server = await startTestServer({
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'Keyturn <post@keyturn.example>',
})

async function aDealToMail() {
  const deal = await aSignedDeal(server)
  await server.query(`delete from jobs where name like 'send-mail%' and payload ->> 'id' not in
    (select id from mails where attachment is not null and sent_at is null)`)
  return deal
}

const attachmentTasks = (receiver: SmtpReceiver, deps: Deps = server.deps) => {
  const config = { ...deps.config, smtpUrl: receiver.url }
  const mail = createEmailTasks({ ...deps, config }, { agreement: agreementAttachments(deps) })
  return { tasks: { ...mail.tasks, ...saleTasks(deps) }, close: mail.close }
}

const attachedTo = (body: string): { name: string; bytes: Buffer }[] =>
  [
    ...body.matchAll(
      /Content-Disposition: attachment;\s+filename="?([^"\s]+)"?\r\n(?:[^\r]+\r\n)*\r\n(.*?)\r\n--/gs,
    ),
  ].map(([, name = '', text = '']) => ({ name, bytes: Buffer.from(text, 'base64') }))

// R-deals-72
test('emails the stored PDF to each party once, with the next steps and the head of the log', async () => {
  const { seller, buyer, pkgId, car, at } = await aDealToMail()
  const receiver = await startSmtpReceiver()
  const { tasks, close } = attachmentTasks(receiver)
  await runDueJobs(server.deps, tasks)
  // Neither a repeated signature nor another run of the jobs sends the email again.
  await tryToUpdateProgress(seller, at, sellerSignature())
  await runDueJobs(server.deps, tasks)
  close()
  const [stored] = await readStoredPdfs(server, pkgId)
  expect(receiver.received.map(({ to }) => to).sort()).toEqual([buyer.email, seller.email].sort())
  const [head] = await server.query<{ size: string; root: Buffer }>(
    'select size, root from log_heads order by size desc limit 1',
  )
  for (const { to, body } of receiver.received) {
    const [attached, ...more] = attachedTo(body)
    expect([attached?.name, more]).toEqual([`vehicle-sale-agreement-${car.vin}.pdf`, []])
    expect(attached?.bytes.equals(stored?.bytes ?? Buffer.alloc(0)), `to ${to}`).toBe(true)
    const words = body.replaceAll('=\r\n', '').replace(/\s+/g, ' ')
    expect(words).toContain('Subject: Signed by both of you: the 2003 Honda Accord EX')
    expect(words).toContain('AutoNation will contact both of you')
    expect(words).toContain(pkgId)
    expect(words).toContain(
      `has ${head?.size} entries and the root ${head?.root.toString('hex').slice(0, 16)}`,
    )
  }
  // The stored emails contain no copy of the PDF.
  const rows = await server.query<{ row: string }>(
    'select mails::text as row from mails where attachment = $1',
    [`agreement:${pkgId}`],
  )
  expect(rows).toHaveLength(2)
  for (const { row } of rows) expect(row.length).toBeLessThan(10_000)
})

// R-deals-111
test('opens the PDF by the link in each email, also when both accounts are deleted', async () => {
  const sale = await aDealToMail()
  const { seller, buyer, pkgId, car } = sale
  const receiver = await startSmtpReceiver()
  const { tasks, close } = attachmentTasks(receiver)
  await runDueJobs(server.deps, tasks)
  close()
  const links = receiver.received.map(({ body }) => linkIn(body))
  for (const link of links) recordSecret(link.slice('/agreements/'.length))
  expect(new Set(links).size).toBe(2)
  expect(await seller.ask(listAgreements, {})).toEqual([
    { pkgId, vin: car.vin, car: '2003 Honda Accord EX', signedAt: expect.any(String) },
  ])
  expect((await buyer.ask(listAgreements, {})).map((one) => one.pkgId)).toEqual([pkgId])
  await completeSale(server, sale)
  await deleteAccount(seller, 'SELLER')
  await deleteAccount(buyer, 'BUYER')
  const [stored] = await readStoredPdfs(server, pkgId)
  for (const url of links) {
    const { statusCode, headers, rawPayload } = await server.app.inject({ url })
    expect([statusCode, rawPayload.equals(stored?.bytes ?? Buffer.alloc(0))]).toEqual([200, true])
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="vehicle-sale-agreement-${car.vin}.pdf"`,
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
    })
  }
  // Only hashes are stored, and no other address leads to the PDF.
  const rows = await server.query<{ row: string }>('select agreement_links::text as row from agreement_links')
  for (const { row } of rows) for (const link of links) expect(row).not.toContain(link.slice(12))
  const wrong = [`${links[0]?.slice(0, -1)}_`, `${links[0]}x`, '/agreements/short', `/agreements/${pkgId}`]
  const answers = await Promise.all(wrong.map((url) => server.app.inject({ url })))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404])
  expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
})

const linkIn = (body: string): string => {
  const text = body.replaceAll('=\r\n', '').replaceAll('=3D', '=')
  return /https?:\/\/[^/\s]+(\/agreements\/[\w-]{43})/.exec(text)?.[1] ?? 'none'
}

// R-deals-72
test('retries the emails until the PDF can be rendered', async () => {
  const { pkgId } = await aDealToMail()
  const receiver = await startSmtpReceiver()
  const broken = {
    print: async () => {
      throw new Error('no ink')
    },
  }
  const waiting = attachmentTasks(receiver, { ...server.deps, printer: broken })
  await runDueJobs(server.deps, waiting.tasks)
  waiting.close()
  const rows = await server.query(
    'select failed_because, attempts, sent_at, dead_at from mails where attachment = $1',
    [`agreement:${pkgId}`],
  )
  expect(rows).toEqual(Array(2).fill({ failed_because: 'no ink', attempts: 1, sent_at: null, dead_at: null }))
  expect(receiver.tries()).toBe(0)
  await server.moveClock('13 seconds')
  const { tasks, close } = attachmentTasks(receiver)
  await runDueJobs(server.deps, tasks)
  close()
  await server.moveClock('0 hours')
  expect(receiver.received.flatMap(({ body }) => attachedTo(body))).toHaveLength(2)
})
