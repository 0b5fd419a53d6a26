import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { onTestFinished } from 'vitest'
import type { TestCertificate } from '../cluster/certificate.ts'
import type { WhenOver } from './start.ts'

export type Receiver = {
  /** What was handed over in full, whether or not the sender heard so. */
  received: { to: string; subject: string; body: string; messageId: string; isEncrypted: boolean }[]
  port: number
  url: string
  tries(): number
}
export type Manners = {
  /** Decides about each mail: a status to refuse it with, or nothing to take it. */
  answer?: (tries: number, address: string) => number | undefined
  words?: string
  /** What lies between a mail and the word that it was taken. */
  beforeTaking?: (received: number) => Promise<unknown>
  /** With one it offers STARTTLS. */
  certificate?: TestCertificate
  port?: number
  whenOver?: WhenOver
}

export async function aReceiver({
  answer,
  words = 'not now',
  beforeTaking,
  certificate,
  port: wanted = 0,
  whenOver = onTestFinished,
}: Manners = {}): Promise<Receiver> {
  const received: Receiver['received'] = []
  let tries = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: certificate ? ['AUTH'] : ['STARTTLS', 'AUTH'],
    ...(certificate && { key: certificate.key, cert: certificate.certificate }),
    onRcptTo: ({ address }, _session, done) => {
      const responseCode = answer?.(++tries, address)
      done(responseCode ? Object.assign(new Error(words), { responseCode }) : undefined)
    },
    onData: (stream, session, done) => {
      let body = ''
      stream.on('data', (chunk) => {
        body += chunk
      })
      stream.on('end', () => {
        const to = session.envelope.rcptTo[0]?.address ?? ''
        const messageId = headerOf(body, 'Message-ID')
        received.push({
          to,
          subject: headerOf(body, 'Subject'),
          body,
          messageId,
          isEncrypted: session.secure,
        })
        void Promise.resolve(beforeTaking?.(received.length)).then(() => done())
      })
    },
  })
  // A sender that was killed in the middle is no fault of the test's.
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(wanted, '127.0.0.1', resolve))
  whenOver(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.server.address() as AddressInfo
  return { received, port, url: `smtp://127.0.0.1:${port}`, tries: () => tries }
}

/** In one line; nothing where there is no such header. */
export const headerOf = (mail: string, name: string): string =>
  new RegExp(`^${name}:((?:.|\\r\\n[ \\t])*)`, 'im')
    .exec(mail)?.[1]
    ?.replace(/\r\n\s+/g, ' ')
    .trim() ?? ''
