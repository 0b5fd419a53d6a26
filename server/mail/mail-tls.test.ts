import { expect, onTestFinished, test } from 'vitest'
import { doDueJobs } from '../jobs/jobs.ts'
import { aCertificate } from '../test/fleet/certificate.ts'
import { openHouse } from '../test/house.ts'
import { aReceiver, type Receiver } from '../test/receiver.ts'
import { mailJobs } from './mail-jobs.ts'
import { sendMail } from './mails.ts'
import { say } from './sentence.ts'

// Mails to a server on another machine, whose address `config.ts` has given `requireTLS`.

const house = await openHouse({ SMTP_URL: 'smtp://127.0.0.1:1' })
const certificate = aCertificate('localhost')
const letter = { subject: say`A test`, lines: [say`A secret`] }

async function sendBy({ port }: Receiver, query: string) {
  await house.query('delete from jobs')
  const to = `somebody-${port}@example.com`
  await sendMail(house.deps, house.deps.db, { id: null, email: to }, letter)
  const config = { ...house.deps.config, smtpUrl: `smtp://localhost:${port}?requireTLS=true${query}` }
  const { tasks, close } = mailJobs({ ...house.deps, config })
  onTestFinished(close)
  await doDueJobs(house.deps, tasks)
  const [mail] = await house.query<{ sent: boolean; dead: boolean; failed_because: string | null }>(
    'select sent_at is not null as sent, dead_at is not null as dead, failed_because from mails where recipient = $1',
    [to],
  )
  return mail
}

// R-everywhere-55
test('a mail waits, and says why, while the server does not offer STARTTLS', async () => {
  const receiver = await aReceiver()
  for (const query of ['', '&ignoreTLS=true'])
    expect(await sendBy(receiver, query)).toEqual({
      sent: false,
      dead: false,
      failed_because: expect.stringMatching(/^No TLS with the mail server \(SMTP_TLS\): .*STARTTLS/),
    })
  expect([receiver.received, receiver.tries()]).toEqual([[], 0])
})

// R-everywhere-55
test('a mail waits while the certificate of the server is not trusted', async () => {
  const receiver = await aReceiver({ certificate })
  expect(await sendBy(receiver, '')).toMatchObject({
    sent: false,
    dead: false,
    failed_because: expect.stringContaining('self-signed certificate'),
  })
  expect(receiver.received).toEqual([])
})

// R-everywhere-55
test('a mail waits while the certificate names another server', async () => {
  const other = aCertificate('mail.example')
  const receiver = await aReceiver({ certificate: other })
  const { failed_because: because } = (await sendBy(receiver, trusting(other.certificate))) ?? {}
  expect(because).toContain("does not match certificate's altnames")
  expect(receiver.received).toEqual([])
})

// R-everywhere-55
test('a mail leaves encrypted where the certificate is trusted and names the server', async () => {
  const receiver = await aReceiver({ certificate })
  expect(await sendBy(receiver, trusting(certificate.certificate))).toMatchObject({ sent: true })
  expect(receiver.received).toMatchObject([{ isEncrypted: true }])
})

/** As NODE_EXTRA_CA_CERTS does for a whole process. */
const trusting = (pem: string) => `&tls.ca=${encodeURIComponent(pem)}`
