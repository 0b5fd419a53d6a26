import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { onTestFinished } from 'vitest'
import type { TestCertificate } from '../cluster/certificate.ts'
import type { AddCleanup } from './server-process.ts'

export type SmtpReceiver = {
  /** Every complete email, whether or not the sender got the response. */
  received: { to: string; subject: string; body: string; messageId: string; isEncrypted: boolean }[]
  port: number
  url: string
  tries(): number
}
export type ReceiverOptions = {
  /** Returns the status to reject an email with, or undefined to accept it. */
  answer?: (tries: number, address: string) => number | undefined
  rejection?: string
  /** Runs after an email has arrived and before it is acknowledged. */
  beforeAccepting?: (received: number) => Promise<unknown>
  /** Enables STARTTLS. */
  certificate?: TestCertificate
  port?: number
  addCleanup?: AddCleanup
}

export async function startSmtpReceiver({
  answer,
  rejection = 'not now',
  beforeAccepting,
  certificate,
  port: wanted = 0,
  addCleanup = onTestFinished,
}: ReceiverOptions = {}): Promise<SmtpReceiver> {
  const received: SmtpReceiver['received'] = []
  let tries = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: certificate ? ['AUTH'] : ['STARTTLS', 'AUTH'],
    ...(certificate && { key: certificate.key, cert: certificate.certificate }),
    onRcptTo: ({ address }, _session, done) => {
      const responseCode = answer?.(++tries, address)
      done(responseCode ? Object.assign(new Error(rejection), { responseCode }) : undefined)
    },
    onData: (stream, session, done) => {
      let body = ''
      stream.on('data', (chunk) => {
        body += chunk
      })
      stream.on('end', () => {
        const to = session.envelope.rcptTo[0]?.address ?? ''
        const messageId = readHeader(body, 'Message-ID')
        received.push({
          to,
          subject: readHeader(body, 'Subject'),
          body,
          messageId,
          isEncrypted: session.secure,
        })
        void Promise.resolve(beforeAccepting?.(received.length)).then(() => done())
      })
    },
  })
  // A killed sender resets its connection.
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(wanted, '127.0.0.1', resolve))
  addCleanup(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.server.address() as AddressInfo
  return { received, port, url: `smtp://127.0.0.1:${port}`, tries: () => tries }
}

/** Returns the unfolded value of a header, or an empty string when it is missing. */
export const readHeader = (mail: string, name: string): string =>
  new RegExp(`^${name}:((?:.|\\r\\n[ \\t])*)`, 'im')
    .exec(mail)?.[1]
    ?.replace(/\r\n\s+/g, ' ')
    .trim() ?? ''
