import type { Transporter } from 'nodemailer'
import { describeError } from '../../shared/describe-error.ts'

export type Attachment = { filename: string; contentType: string; content: string | Buffer }
type OutgoingMail = {
  to: string
  subject: string
  html: string
  text: string
  /**
   * With angle brackets, and identical at each attempt, so that a receiver recognizes duplicates.
   */
  messageId: string
  date: Date
  /** The Message-ID that all emails about one deal refer to. */
  thread?: string | null
  /** The URL for one-click unsubscribe (RFC 8058). */
  stop?: string | null
  files?: Attachment[]
}
/**
 * `refused`: the receiver rejects the email permanently. `busy`: a temporary error. `silent`: the
 * receiver had accepted the start of this email and then stopped answering. `unreachable`: no
 * connection or login succeeded.
 */
type Delivery = { outcome: 'delivered' } | Failure
export type Failure = {
  outcome: 'refused' | 'busy' | 'silent' | 'unreachable'
  because: string
  /** True if the address itself is invalid, regardless of the email's content. */
  isAddress?: boolean
}
export type Dkim = { domainName: string; keySelector: string; privateKey: string }
export type Mailer = {
  /** `stopping` aborts immediately, but awaits an email that a server may have accepted. */
  send(mail: OutgoingMail, stopping?: AbortSignal): Promise<Delivery>
  close(): void
}

/** Sends email by SMTP. Without SMTP_URL, emails stay in the embedded mailbox. */
export function smtpMailer(smtpUrl: string, from: string, dkim: Dkim | null = null): Mailer {
  /** Message-IDs of the emails whose transmission the server has accepted to begin. */
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
          // Derived from the Message-ID, so that a retry is byte-identical.
          baseBoundary: messageId.replace(/\W/g, ''),
          headers: {
            'Auto-Submitted': 'auto-generated',
            'X-Auto-Response-Suppress': 'All',
            ...(mail.stop && {
              // On one line, for receivers that do not parse folded headers.
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

/** Headers that receivers expect to be signed, including the two of RFC 8058. */
const signedHeaders =
  'From:To:Subject:Date:Message-ID:References:In-Reply-To:MIME-Version:Content-Type:Content-Transfer-Encoding:List-Unsubscribe:List-Unsubscribe-Post'

/** Loads nodemailer only where email is sent: it costs 40 ms and 13 MB. */
async function openTransport(
  url: string,
  dkim: Dkim | null,
  onBegin: (messageId: string) => void,
): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    url,
    ...(dkim && { dkim: { ...dkim, headerFieldNames: signedHeaders } }),
    // The package's own limits would let a server that accepts and then hangs hold a job for
    // minutes.
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
  })
  transport.use('stream', ({ message }, done) => {
    // The package asks for the email's bytes only after the server's greeting and the login.
    message.processFunc((bytes) => {
      onBegin(message.messageId())
      return bytes
    })
    done()
  })
  return transport
}

/** The package's error properties besides the message. */
type SmtpError = Partial<{ command: string; response: string; responseCode: number; message: string }>

function failureOf(error: unknown, hadBegun: boolean): Delivery {
  const because = describeError(error).slice(0, 500)
  const { command, response = '', responseCode: status, message = '' } = error as SmtpError
  // The server rejects TLS, not the email. The email waits until the server offers TLS or SMTP_TLS
  // allows plain text.
  if (command !== undefined && (command === 'STARTTLS' || /does not support required STARTTLS/.test(message)))
    return { outcome: 'unreachable', because: `No TLS with the mail server (SMTP_TLS): ${because}` }
  if (status === undefined) return { outcome: hadBegun ? 'silent' : 'unreachable', because }
  // 530-538 concern this server's credentials. The operator must correct them; the email is retried
  // until then.
  const isAboutUs = status >= 530 && status <= 538
  if (status < 500 || isAboutUs) return { outcome: 'busy', because }
  // The address itself was refused. 5.7 means a policy against this sender, 5.3 to 5.5 a fault of
  // the mail system (RFC 3463).
  const isAddress = command === 'RCPT TO' && !/^\d{3}[ -]5\.[3457]\./.test(response)
  return { outcome: 'refused', because, isAddress }
}
