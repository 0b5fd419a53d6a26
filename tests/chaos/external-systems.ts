import { startWebhookReceiver } from '../support/dealers/webhook-receiver.ts'
import { startSmtpReceiver } from '../support/smtp-receiver.ts'

/** A mail server and a dealer's system that accept and record everything. */
export type ExternalSystems = {
  settings: Record<string, string>
  /** Returns the distinct bodies received under each Message-ID. */
  emails(): Map<string, Set<string>>
  /** Returns the ids of the deliveries to the dealer. */
  deliveries(): Set<string>
  close(): Promise<void>
}

export const dealerKey = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

export async function startExternalSystems(): Promise<ExternalSystems> {
  const ends: (() => void | Promise<void>)[] = []
  const mails = await startSmtpReceiver({ addCleanup: (end) => void ends.push(end) })
  const dealer = await startWebhookReceiver(undefined, { stays: true })
  return {
    settings: {
      SMTP_URL: mails.url,
      WEBHOOKS_PRIVATE: 'allow',
      DEALER_WEBHOOK_URL: dealer.url,
      DEALER_WEBHOOK_SECRET: dealerKey,
    },
    emails: () => bodiesByMessage(mails.received),
    deliveries: () => new Set(dealer.received.map(({ id }) => id)),
    async close() {
      await dealer.close()
      for (const end of ends) await end()
    },
  }
}

export function bodiesByMessage(received: readonly { messageId: string; body: string }[]) {
  const bodies = new Map<string, Set<string>>()
  for (const { messageId, body } of received)
    bodies.set(messageId, (bodies.get(messageId) ?? new Set()).add(body))
  return bodies
}
