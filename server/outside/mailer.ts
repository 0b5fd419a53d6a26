import type { Transporter } from 'nodemailer'

type OutgoingMail = { id: string; to: string; subject: string; html: string; text: string }
/** `refused`: the receiver will never take it. `busy`: it answered "later". `unreachable`: nobody answered at all. */
type Delivery = { outcome: 'delivered' } | { outcome: 'refused' | 'busy' | 'unreachable'; because: string }
export type Mailer = { send(mail: OutgoingMail): Promise<Delivery>; close(): void }

/** Mail by SMTP; without SMTP_URL there is no mailer, and mails stay in the embedded mailbox. */
export function smtpMailer(smtpUrl: string, from: string): Mailer {
  let transport: Promise<Transporter> | null = null
  return {
    async send(mail) {
      transport ??= openTransport(smtpUrl)
      try {
        await (await transport).sendMail({
          from,
          to: mail.to,
          subject: mail.subject,
          html: mail.html,
          text: mail.text,
          // The same at each try, so that a receiver can tell a repeat from a second mail.
          messageId: `<${mail.id}@${domainOf(from)}>`,
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
        })
        return { outcome: 'delivered' }
      } catch (error) {
        return failureOf(error)
      }
    },
    close() {
      transport?.then((open) => open.close()).catch(() => {})
    },
  }
}

/** Loaded only where mail really goes out: it costs 40 ms and 13 MB. */
async function openTransport(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  // A server that accepts and then hangs must not hold a job for minutes, as the package's own limits would.
  return createTransport({ url, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 })
}

function failureOf(error: unknown): Delivery {
  const because = error instanceof Error ? error.message.slice(0, 500) : String(error)
  const status = replyCode(error)
  if (status === null) return { outcome: 'unreachable', because }
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
