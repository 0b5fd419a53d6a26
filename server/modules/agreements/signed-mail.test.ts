import { expect, test } from 'vitest'
import { sellerSignature, trySteps } from '../../../tests/support/sales/deals.ts'
import { aSignedDeal } from '../../../tests/support/sales/signed-deals.ts'
import { aReceiver, type Receiver } from '../../../tests/support/smtp-receiver.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import type { Deps } from '../../deps.ts'
import { saleJobs } from '../../jobs.ts'
import { runDueJobs } from '../../platform/jobs/jobs.ts'
import { mailJobs } from '../../platform/mail/mail-jobs.ts'
import { agreementEmails } from './agreement-pdf-store.ts'

const house = await startTestServer({
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'Keyturn <post@keyturn.example>',
})

async function aDealToMail() {
  const deal = await aSignedDeal(house)
  await house.query(`delete from jobs where name like 'send-mail%' and payload ->> 'id' not in
    (select id from mails where attachment is not null and sent_at is null)`)
  return deal
}

const postman = (receiver: Receiver, deps: Deps = house.deps) => {
  const config = { ...deps.config, smtpUrl: receiver.url }
  const mail = mailJobs({ ...deps, config }, { agreement: agreementEmails(deps) })
  return { tasks: { ...mail.tasks, ...saleJobs(deps) }, close: mail.close }
}

const attachedTo = (body: string): { name: string; bytes: Buffer }[] =>
  [
    ...body.matchAll(
      /Content-Disposition: attachment;\s+filename="?([^"\s]+)"?\r\n(?:[^\r]+\r\n)*\r\n(.*?)\r\n--/gs,
    ),
  ].map(([, name = '', text = '']) => ({ name, bytes: Buffer.from(text, 'base64') }))

// R-deals-72
test('once both have signed each of them is sent the kept PDF, once, with what happens now and the head of the log', async () => {
  const { seller, buyer, pkgId, car, at } = await aDealToMail()
  const receiver = await aReceiver()
  const { tasks, close } = postman(receiver)
  await runDueJobs(house.deps, tasks)
  // The same signature once more changes nothing, and neither does looking for work again.
  await trySteps(seller, at, sellerSignature())
  await runDueJobs(house.deps, tasks)
  close()
  const [kept] = await house.query<{ bytes: Buffer }>(
    'select bytes from agreement_pdfs where package_id = $1',
    [pkgId],
  )
  expect(receiver.received.map(({ to }) => to).sort()).toEqual([buyer.email, seller.email].sort())
  const [head] = await house.query<{ size: string; root: Buffer }>(
    'select size, root from log_heads order by size desc limit 1',
  )
  for (const { to, body } of receiver.received) {
    const [attached, ...more] = attachedTo(body)
    expect([attached?.name, more]).toEqual([`vehicle-sale-agreement-${car.vin}.pdf`, []])
    expect(attached?.bytes.equals(kept?.bytes ?? Buffer.alloc(0)), `to ${to}`).toBe(true)
    const words = body.replaceAll('=\r\n', '').replace(/\s+/g, ' ')
    expect(words).toContain('Subject: Signed by both of you: the 2003 Honda Accord EX')
    expect(words).toContain('AutoNation gets in touch with both of you')
    expect(words).toContain(pkgId)
    expect(words).toContain(
      `has ${head?.size} entries and the root ${head?.root.toString('hex').slice(0, 16)}`,
    )
  }
  // What waits to be sent holds no copy of it.
  const rows = await house.query<{ row: string }>(
    'select mails::text as row from mails where attachment = $1',
    [`agreement:${pkgId}`],
  )
  expect(rows).toHaveLength(2)
  for (const { row } of rows) expect(row.length).toBeLessThan(10_000)
})

// R-deals-72
test('while the PDF cannot be made the mails wait for it, and go then', async () => {
  const { pkgId } = await aDealToMail()
  const receiver = await aReceiver()
  const broken = {
    print: async () => {
      throw new Error('no ink')
    },
  }
  const waiting = postman(receiver, { ...house.deps, printer: broken })
  await runDueJobs(house.deps, waiting.tasks)
  waiting.close()
  const rows = await house.query(
    'select failed_because, attempts, sent_at, dead_at from mails where attachment = $1',
    [`agreement:${pkgId}`],
  )
  expect(rows).toEqual(Array(2).fill({ failed_because: 'no ink', attempts: 1, sent_at: null, dead_at: null }))
  expect(receiver.tries()).toBe(0)
  await house.moveClock('13 seconds')
  const { tasks, close } = postman(receiver)
  await runDueJobs(house.deps, tasks)
  close()
  await house.moveClock('0 hours')
  expect(receiver.received.flatMap(({ body }) => attachedTo(body))).toHaveLength(2)
})
