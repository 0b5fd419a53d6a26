import { aWebhookReceiver } from '../support/dealers/webhook-receiver.ts'
import { aReceiver } from '../support/smtp-receiver.ts'

/** A mail server and a dealer's system that take everything, and remember it. */
export type Outside = {
  settings: Record<string, string>
  /** Of each Message-ID what came under it. */
  letters(): Map<string, Set<string>>
  /** The ids under which the dealer was sent something. */
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
