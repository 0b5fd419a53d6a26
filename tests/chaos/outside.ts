import { aWebhookReceiver } from '../support/dealers/webhook-receiver.ts'
import { aReceiver } from '../support/smtp-receiver.ts'

/** A mail server and a dealer's system that accept and record everything. */
export type Outside = {
  settings: Record<string, string>
  /** The emails received under each Message-ID. */
  letters(): Map<string, Set<string>>
  /** The ids of the deliveries to the dealer. */
  taken(): Set<string>
  close(): Promise<void>
}

export const dealerKey = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

export async function openOutside(): Promise<Outside> {
  const ends: (() => void | Promise<void>)[] = []
  const mails = await aReceiver({ whenOver: (end) => void ends.push(end) })
  const dealer = await aWebhookReceiver(undefined, { stays: true })
  return {
    settings: {
      SMTP_URL: mails.url,
      WEBHOOKS_PRIVATE: 'allow',
      DEALER_WEBHOOK_URL: dealer.url,
      DEALER_WEBHOOK_SECRET: dealerKey,
    },
    letters: () => bodiesByMessage(mails.received),
    taken: () => new Set(dealer.received.map(({ id }) => id)),
    async close() {
      await dealer.close()
      for (const end of ends) await end()
    },
  }
}

export function bodiesByMessage(received: readonly { messageId: string; body: string }[]) {
  const letters = new Map<string, Set<string>>()
  for (const { messageId, body } of received)
    letters.set(messageId, (letters.get(messageId) ?? new Set()).add(body))
  return letters
}
