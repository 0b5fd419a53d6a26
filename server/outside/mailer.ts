import type { Transporter } from 'nodemailer'
import { reasonOf } from '../kit/reason-of.ts'

export type Attachment = { filename: string; contentType: string; content: string | Buffer }
type OutgoingMail = {
  id: string
  to: string
  subject: string
  html: string
  text: string
  attachment?: Attachment | null
  files?: Attachment[]
}
/**
 * `refused`: the receiver will never take it. `busy`: it answered "later". `silent`: it was ready for this mail and then
 * said nothing more. `unreachable`: nobody was ready for any mail.
 */
type Delivery = { outcome: 'delivered' } | Failure
export type Failure = { outcome: 'refused' | 'busy' | 'silent' | 'unreachable'; because: string }
export type Mailer = {
  /** `stopping` ends at once what nobody is ready for; a mail that may already be in other hands is waited for. */
  send(mail: OutgoingMail, stopping?: AbortSignal): Promise<Delivery>
  close(): void
}

/** Mail by SMTP; without SMTP_URL there is no mailer, and mails stay in the embedded mailbox. */
export function smtpMailer(smtpUrl: string, from: string): Mailer {
  /** The mails that the server has let us begin with, by Message-ID. */
  const begun = new Set<string>()
  let transport: Promise<Transporter> | null = null
  return {
    async send(mail, stopping) {
      transport ??= openTransport(smtpUrl, (messageId) => begun.add(messageId))
      // The same at each try, so that a receiver can tell a repeat from a second mail.
      const messageId = `<${mail.id}@${domainOf(from)}>`
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
          attachments: [...(mail.attachment ? [mail.attachment] : []), ...(mail.files ?? [])],
          messageId,
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
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

/** Loaded only where mail really goes out: it costs 40 ms and 13 MB. */
async function openTransport(url: string, onBegin: (messageId: string) => void): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    url,
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

function failureOf(error: unknown, hadBegun: boolean): Delivery {
  const because = reasonOf(error).slice(0, 500)
  const status = replyCode(error)
  if (status === null) return { outcome: hadBegun ? 'silent' : 'unreachable', because }
  // 530-538 is about our own credentials: the operator's to mend, and the mail is worth keeping until then.
  const isAboutUs = status >= 530 && status <= 538
  return { outcome: status >= 500 && !isAboutUs ? 'refused' : 'busy', because }
}

function replyCode(error: unknown): number | null {
  return error instanceof Error && 'responseCode' in error && typeof error.responseCode === 'number'
    ? error.responseCode
    : null
}

const domainOf = (from: string): string => /@([^\s>]+)/.exec(from)?.[1] ?? 'localhost'
