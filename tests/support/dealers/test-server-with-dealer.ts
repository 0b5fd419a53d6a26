import { answerDeal } from '@keyturn/contract/dealers/dealer-api.ts'
import { afterAll } from 'vitest'
import { readProgressOf, type Sale } from '../sales/deals.ts'
import { startTestServer, type TestServer } from '../test-server.ts'
import { createDealerClient, createDealerKey } from './dealer-client.ts'
import { startWebhookReceiver } from './webhook-receiver.ts'

export type TestServerWithDealer = TestServer & {
  /** Sends the dealer's steps for a deal, each once. */
  sendSteps(sale: Sale, ...steps: ('accepted' | 'paidSeller')[]): Promise<void>
}

/** Starts a test server whose deals go to a dealer's webhook that accepts them. */
export async function startTestServerWithDealer(): Promise<TestServerWithDealer> {
  const receiver = await startWebhookReceiver(undefined, { stays: true })
  afterAll(() => receiver.close())
  const key = createDealerKey()
  const server = await startTestServer({
    DEALER_NAME: 'Keyturn Motors',
    DEALER_WEBHOOK_URL: receiver.url,
    DEALER_WEBHOOK_SECRET: key,
    WEBHOOKS_PRIVATE: 'allow',
  })
  const partner = createDealerClient(server.browser(), key)
  return {
    ...server,
    async sendSteps(sale, ...steps) {
      const pkgId = (await readProgressOf(sale)).pkgId ?? ''
      for (const step of steps) {
        const { status } = await partner.send(answerDeal, { params: { pkgId }, body: { pkgId, step } })
        if (status !== 200) throw new Error(`The dealer could not say ${step}: ${status}`)
      }
    },
  }
}
