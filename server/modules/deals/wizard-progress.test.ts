import * as calls from '@keyturn/contract/deals/endpoints.ts'
import { expect, test } from 'vitest'
import { aBuyer } from '../../../tests/support/people.ts'
import { aListing, aSaleAt, readProgressOf, step } from '../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'

// `progress-steps.test.ts` covers which steps are open from each state.

const server = await startTestServer()

// R-deals-3
test('creates the progress once for twenty concurrent calls', async () => {
  const { at } = await aListing(server)
  const buyer = await aBuyer(server)
  const twenty = Array.from({ length: 20 }, () => buyer.ask(calls.startProgress, { body: at }))
  expect(new Set((await Promise.all(twenty)).map(({ _id }) => _id)).size).toBe(1)
})

// R-deals-5, R-safe-8
test('stores the wizard’s stage and ignores fields that only the server sets', async () => {
  const sale = await aSaleAt(server, 'started')
  const { at, buyer } = sale
  await step(buyer, at, {
    step: [0, 1, 2, 3],
    hasTrade: false,
    completed: true,
    sellerSigned: true,
    sellerSignedName: 'x',
    sellerSignature: 'x',
    pendingTradeInApproval: true,
    status: 'ACCEPTED',
  })
  expect(await readProgressOf(sale)).toMatchObject({
    activeBuyerStep: 3,
    hasTrade: false,
    buyerStep3: true,
    buyerStep4: false,
    completed: false,
    sellerSigned: false,
    pendingTradeInApproval: false,
    status: null,
  })
  const back = await step(buyer, at, { step: [0], goBack: true })
  expect(back).toMatchObject({ activeBuyerStep: 0, buyerStep3: true })
})

// R-safe-9
test('returns 409 with the current progress to a stale tab', async () => {
  const sale = await aSaleAt(server, 'started')
  const { version } = await readProgressOf(sale)
  await step(sale.buyer, sale.at, { step: [3], hasTrade: false })
  const sent = await sale.buyer.send(calls.updateProgress, {
    body: { ...sale.at, version, data: { userType: 'BUYER', step: [0, 1] } },
  })
  expect([sent.status, sent.error.errorCode]).toEqual([409, 'StaleVersion'])
  expect(sent.error.current).toMatchObject({ activeBuyerStep: 3 })
})
