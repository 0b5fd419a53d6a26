import { expect, test } from 'vitest'
import { createTestCertificate, type TestCertificate } from '../../../tests/cluster/certificate.ts'
import { createEmailSender } from '../../../tests/support/jobs/mail-server.ts'
import { type SmtpReceiver, startSmtpReceiver } from '../../../tests/support/smtp-receiver.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { enqueueEmail } from './emails.ts'
import { sentence } from './sentence.ts'

// Email to a server on another host, for which `config.ts` sets `requireTLS`.

const server = await startTestServer({ SMTP_URL: 'smtp://127.0.0.1:1' })
const certificate = createTestCertificate('localhost')
const letter = { subject: sentence`A test`, lines: [sentence`A secret`] }

/** Equivalent of NODE_EXTRA_CA_CERTS. */
function trusting({ certificate: pem }: TestCertificate): string {
  return `&tls.ca=${encodeURIComponent(pem)}`
}

async function sendBy({ port }: SmtpReceiver, query: string) {
  await server.query('delete from jobs')
  const to = `somebody-${port}@example.com`
  await enqueueEmail(server.deps, server.deps.db, { id: null, email: to }, letter)
  await createEmailSender(server, `smtp://localhost:${port}?requireTLS=true${query}`)()
  const [mail] = await server.query<{ sent_at: Date | null; dead_at: Date | null; failed_because: string }>(
    'select sent_at, dead_at, failed_because from mails where recipient = $1',
    [to],
  )
  return mail
}

const other = createTestCertificate('mail.example')
// R-everywhere-55
test.each<[when: string, TestCertificate | undefined, query: string, because: RegExp]>([
  ['the server offers no STARTTLS', undefined, '', /^No TLS with the mail server \(SMTP_TLS\): .*STARTTLS/],
  [
    'the server offers no STARTTLS, although SMTP_URL allows that',
    undefined,
    '&ignoreTLS=true',
    /^No TLS with .*STARTTLS/,
  ],
  ['the certificate is not trusted', certificate, '', /self-signed certificate/],
  ['the certificate names another host', other, trusting(other), /does not match certificate's altnames/],
])('delays an email and stores the reason when %s', async (_, offered, query, because) => {
  const receiver = await startSmtpReceiver(offered && { certificate: offered })
  const waits = { sent_at: null, dead_at: null, failed_because: expect.stringMatching(because) }
  expect(await sendBy(receiver, query)).toEqual(waits)
  expect([receiver.received, receiver.tries()]).toEqual([[], 0])
})

// R-everywhere-55
test('sends over TLS when the certificate is trusted and matches the host', async () => {
  const receiver = await startSmtpReceiver({ certificate })
  expect(await sendBy(receiver, trusting(certificate))).toMatchObject({ sent_at: expect.any(Date) })
  expect(receiver.received).toMatchObject([{ isEncrypted: true }])
})
