import { answerDeal, readPartnerAgreement, readPartnerDeal } from '@keyturn/contract/dealers/dealer-api.ts'
import { deliverToDesk } from '@keyturn/contract/dealers/dealer-desk.ts'
import { completeDeal } from '@keyturn/contract/deals/endpoints.ts'
import type { Endpoint } from '@keyturn/contract/shared/endpoint.ts'
import { Webhook } from 'standardwebhooks'
import { afterAll, expect, test } from 'vitest'
import {
  createDealerClient,
  createDealerKey,
  signDealerRequest,
} from '../../../../tests/support/dealers/dealer-client.ts'
import { startWebhookReceiver } from '../../../../tests/support/dealers/webhook-receiver.ts'
import { aSaleAt, readProgressOf } from '../../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'
import { runDueJobs } from '../../../platform/jobs/jobs.ts'
import { saleTasks } from '../../../tasks.ts'
import { createDesk } from '../desk/desk.ts'

// A signature is bound to one endpoint: a captured body is useless at any other (R-deals-75).

const receiver = await startWebhookReceiver(undefined, { stays: true })
afterAll(() => receiver.close())
const key = createDealerKey()
const settings = { DEALER_WEBHOOK_URL: receiver.url, DEALER_WEBHOOK_SECRET: key, WEBHOOKS_PRIVATE: 'allow' }
const server = await startTestServer(settings)
// The desk has the dealer's own key here, so that no signature is refused because of its key.
server.deps.desk = { ...createDesk({ sessionSecret: '', dealer: { webhookUrl: null } }), key, origin: null }

const sale = await aSaleAt(server, 'passed')
const other = await aSaleAt(server, 'passed')
const pkgIdOf = async (one: typeof sale) => (await readProgressOf(one)).pkgId ?? ''
const [pkgId, otherPkgId] = [await pkgIdOf(sale), await pkgIdOf(other)]
await runDueJobs(server.deps, saleTasks(server.deps))

type Target = { call: Endpoint; pkgId: string; body?: object }
const event = () => JSON.parse(receiver.received[0]?.body ?? '{}') as object
const targets = (): Target[] => [
  { call: answerDeal, pkgId, body: { pkgId, step: 'accepted' } },
  { call: answerDeal, pkgId: otherPkgId, body: { pkgId: otherPkgId, step: 'accepted' } },
  { call: completeDeal, pkgId, body: { pkgId } },
  { call: readPartnerDeal, pkgId },
  { call: readPartnerAgreement, pkgId },
  { call: deliverToDesk, pkgId: '', body: event() },
]
const nameOf = ({ call, pkgId }: Target) => `${call.name} ${pkgId}`
const state = () =>
  server.query(`select
    (select count(*)::int from deal_events) as events, (select count(*)::int from partner_calls) as calls,
    (select count(*)::int from desk_deals) as desk, (select string_agg(status, ' ' order by id) from deals) as deals`)

const wireOf = ({ pkgId, body }: Target) => ({ params: { pkgId }, ...(body && { body }) })
const send = (target: Target, body: string | undefined, headers: Record<string, string>) =>
  server.app.inject({
    method: target.call.method,
    url: target.call.path.replace(':pkgId', target.pkgId),
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { payload: body }),
  })

test('returns 401 and changes nothing when a body signed for one call is sent to another', async () => {
  const before = await state()
  for (const signedFor of targets())
    for (const sentTo of targets().filter((one) => nameOf(one) !== nameOf(signedFor))) {
      const headers = signDealerRequest(signedFor.call, wireOf(signedFor), key)
      const answer = await send(sentTo, signedFor.body && JSON.stringify(signedFor.body), headers)
      const which = `signed for ${nameOf(signedFor)}, sent to ${nameOf(sentTo)}`
      expect([answer.statusCode, answer.json().errorCode], which).toEqual([401, 'InvalidSignature'])
    }
  expect(await state()).toEqual(before)
})

test('rejects a request signed by a dealer at a dealer’s receiver', () => {
  for (const target of targets().filter(({ call }) => call !== deliverToDesk)) {
    const headers = signDealerRequest(target.call, wireOf(target), key)
    const verify = () => new Webhook(key).verify(JSON.stringify(target.body ?? ''), headers)
    expect(verify, nameOf(target)).toThrow('No matching signature found')
  }
})

test('accepts a body at the endpoint it was signed for', async () => {
  const partner = createDealerClient(server.browser(), key)
  for (const target of targets())
    expect((await partner.send(target.call, wireOf(target))).status, nameOf(target)).toBe(200)
})
