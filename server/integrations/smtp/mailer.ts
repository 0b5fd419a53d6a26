import type { Transporter } from 'nodemailer'
import { reasonOf } from '../../shared/reason-of.ts'

export type Attachment = { filename: string; contentType: string; content: string | Buffer }
type OutgoingMail = {
  to: string
  subject: string
  html: string
  text: string
  /** As it is with its brackets: the same at each try, so that a receiver can tell a repeat from a second mail. */
  messageId: string
  date: Date
  /** The Message-ID that all mails about one deal refer to. */
  thread?: string | null
  /** Where its reader stops mails like it, with one click (RFC 8058). */
  stop?: string | null
  files?: Attachment[]
}
/**
 * `refused`: the receiver will never take it. `busy`: it answered "later". `silent`: it was ready for this mail and then
 * said nothing more. `unreachable`: nobody was ready for any mail.
 */
type Delivery = { outcome: 'delivered' } | Failure
export type Failure = {
  outcome: 'refused' | 'busy' | 'silent' | 'unreachable'
  because: string
  /** It is the address that no mail can be sent to, whatever stands in it. */
  isAddress?: boolean
}
/** What mails are signed with. */
export type Dkim = { domainName: string; keySelector: string; privateKey: string }
export type Mailer = {
  /** `stopping` ends at once what nobody is ready for; a mail that may already be in other hands is waited for. */
  send(mail: OutgoingMail, stopping?: AbortSignal): Promise<Delivery>
  close(): void
}

/** Mail by SMTP; without SMTP_URL there is no mailer, and mails stay in the embedded mailbox. */
export function smtpMailer(smtpUrl: string, from: string, dkim: Dkim | null = null): Mailer {
  /** The mails that the server has let us begin with, by Message-ID. */
  const begun = new Set<string>()
  let transport: Promise<Transporter> | null = null
  return {
    async send(mail, stopping) {
      transport ??= openTransport(smtpUrl, dkim, (messageId) => begun.add(messageId))
      const { messageId, thread } = mail
      const giveUp = new AbortController()
      const stop = () => begun.has(messageId) || giveUp.abort()
      stopping?.addEventListener('abort', stop)
      if (stopping?.aborted) stop()
      try {
        await (await transport).sendMail({
          from,
          to: mail.to,
          subject: mail.subject,
          html: mail.html,
          text: mail.text,
          attachments: mail.files ?? [],
          messageId,
          date: mail.date,
          ...(thread && { references: thread, inReplyTo: thread }),
          // Made of the mail, so that a second try is the same to the byte.
          baseBoundary: messageId.replace(/\W/g, ''),
          headers: {
            'Auto-Submitted': 'auto-generated',
            'X-Auto-Response-Suppress': 'All',
            ...(mail.stop && {
              // In one line, for who reads no folded ones.
              'List-Unsubscribe': { prepared: true, value: `<${mail.stop}>` },
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            }),
          },
          signal: giveUp.signal,
        })
        return { outcome: 'delivered' }
      } catch (error) {
        return failureOf(error, begun.has(messageId))
      } finally {
        stopping?.removeEventListener('abort', stop)
        begun.delete(messageId)
      }
    },
    close() {
      transport?.then((open) => open.close()).catch(() => {})
    },
  }
}

/** What a receiver must find signed, the two of RFC 8058 among it. */
const signedHeaders =
  'From:To:Subject:Date:Message-ID:References:In-Reply-To:MIME-Version:Content-Type:Content-Transfer-Encoding:List-Unsubscribe:List-Unsubscribe-Post'

/** Loaded only where mail really goes out: it costs 40 ms and 13 MB. */
async function openTransport(
  url: string,
  dkim: Dkim | null,
  onBegin: (messageId: string) => void,
): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    url,
    ...(dkim && { dkim: { ...dkim, headerFieldNames: signedHeaders } }),
    // A server that accepts and then hangs must not hold a job for minutes, as the package's own limits would.
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
  })
  transport.use('stream', ({ message }, done) => {
    // Asked for a mail's bytes once the server has greeted and let us in, and not before.
    message.processFunc((bytes) => {
      onBegin(message.messageId())
      return bytes
    })
    done()
  })
  return transport
}

/** What the package says of a failure besides its words. */
type SmtpError = Partial<{ command: string; response: string; responseCode: number; message: string }>

function failureOf(error: unknown, hadBegun: boolean): Delivery {
  const because = reasonOf(error).slice(0, 500)
  const { command, response = '', responseCode: status, message = '' } = error as SmtpError
  // Says nothing about the mail, which waits until the server does TLS or SMTP_TLS lets it go without.
  if (command !== undefined && (command === 'STARTTLS' || /does not support required STARTTLS/.test(message)))
    return { outcome: 'unreachable', because: `No TLS with the mail server (SMTP_TLS): ${because}` }
  if (status === undefined) return { outcome: hadBegun ? 'silent' : 'unreachable', because }
  // 530-538 is about our own credentials: the operator's to mend, and the mail is worth keeping until then.
  const isAboutUs = status >= 530 && status <= 538
  if (status < 500 || isAboutUs) return { outcome: 'busy', because }
  // Refused when it was named, and for its own sake: 5.7 says that the receiver does not want us, 5.3 to 5.5 that the
  // mail system is at fault (RFC 3463).
  const isAddress = command === 'RCPT TO' && !/^\d{3}[ -]5\.[3457]\./.test(response)
  return { outcome: 'refused', because, isAddress }
}
