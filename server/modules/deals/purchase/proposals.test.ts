import * as calls from '@keyturn/contract/deals/endpoints.ts'
import { dollarsToCents } from '@keyturn/contract/shared/money.ts'
import { expect, test } from 'vitest'
import { aBuyer } from '../../../../tests/support/people.ts'
import {
  anotherRequest,
  listRequestsOn,
  propose,
  readTimelineOf,
  setPrice,
  tryToAnswerProposal,
  tryToPropose,
} from '../../../../tests/support/sales/deal-moves.ts'
import {
  aSaleAt,
  confirmBuyer,
  offerPrice,
  readProgressOf,
  type Sale,
  signAsBuyer,
  turnDown,
} from '../../../../tests/support/sales/deals.ts'
import { digestTables } from '../../../../tests/support/table-digests.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'
import { statusAndCode } from '../../../../tests/support/trades.ts'

const server = await startTestServer()

const eventsOf = async (sale: Sale) => (await readTimelineOf(sale)).map(({ event }) => event)
const proposedPrice = async (sale: Sale) => (await readProgressOf(sale)).proposedPrice

async function aProposal(price = 9200): Promise<Sale> {
  const sale = await aSaleAt(server, 'requested')
  await propose(sale, price)
  return sale
}

// R-deals-93
test('shows a proposal to its buyer alone, and leaves offer and signature as they are', async () => {
  const sale = await aSaleAt(server, 'requested')
  const other = await anotherRequest(server, sale)
  await signAsBuyer(sale)
  await propose(sale, 9200)
  const own = { price: dollarsToCents(9000), proposedPrice: dollarsToCents(9200), buyerSigned: true }
  expect(await readProgressOf(sale)).toMatchObject(own)
  const requests = await listRequestsOn(sale)
  expect(requests.map(({ proposedPrice }) => proposedPrice)).toEqual([dollarsToCents(9200), null])
  expect(await readProgressOf(other)).toMatchObject({ price: dollarsToCents(9300), proposedPrice: null })
  expect((await readTimelineOf(sale))[0]).toMatchObject({
    event: 'priceProposed',
    to: '$9,200',
    actor: 'SELLER',
  })
  expect(await eventsOf(other)).toEqual(['requested', 'started'])
})

// R-deals-94
test('makes an accepted proposal the offer, which voids the signature on the earlier one', async () => {
  const sale = await aProposal()
  await signAsBuyer(sale)
  const { version } = await readProgressOf(sale)
  const accepted = (await tryToAnswerProposal(sale, 9200, 'ACCEPTED', version)).answer
  const expected = { status: 'PENDING', price: dollarsToCents(9200), proposedPrice: null, buyerSigned: false }
  expect(accepted).toMatchObject({ ...expected, activeBuyerStep: 6, terms: { price: dollarsToCents(9200) } })
  const [event] = await readTimelineOf(sale)
  expect(event).toMatchObject({ event: 'proposalAccepted', actor: 'BUYER', from: '$9,000', to: '$9,200' })
  expect((await signAsBuyer(sale)).buyerSigned).toBe(true)
  expect(await confirmBuyer(sale)).toMatchObject({ status: 'ACCEPTED' })
})

// R-deals-94
test('leaves everything but the proposal when the buyer declines it', async () => {
  const sale = await aProposal()
  await signAsBuyer(sale)
  const declined = (await tryToAnswerProposal(sale, 9200, 'REJECTED')).answer
  expect(declined).toMatchObject({ price: dollarsToCents(9000), proposedPrice: null, buyerSigned: true })
  expect((await eventsOf(sale))[0]).toBe('proposalDeclined')
})

// R-deals-93
test('replaces a proposal, changes nothing when it is repeated, and takes it back', async () => {
  const sale = await aProposal(9200)
  await propose(sale, 9300)
  expect(await proposedPrice(sale)).toBe(dollarsToCents(9300))
  const before = await digestTables(server)
  await propose(sale, 9300)
  expect(await digestTables(server)).toEqual(before)
  await propose(sale, null)
  expect(await proposedPrice(sale)).toBeNull()
  const proposals = ['proposalTakenBack', 'priceProposed', 'priceProposed']
  expect(await eventsOf(sale)).toEqual([...proposals, 'requested', 'started'])
  expect(await statusAndCode(tryToAnswerProposal(sale, 9300, 'ACCEPTED'))).toEqual([409, 'PriceChanged'])
})

// R-deals-93
test.each<[string, (sale: Sale) => Promise<unknown>, number]>([
  ['the seller confirms the buyer at the offer', confirmBuyer, 9000],
  ['the seller denies the request', turnDown, 9000],
  ['the buyer offers another price', (sale) => offerPrice(sale, 9100), 9100],
  [
    'another buyer is confirmed and released',
    async (sale) => {
      const other = await anotherRequest(server, sale)
      await confirmBuyer(other)
      expect(await statusAndCode(tryToPropose(sale, 9400))).toEqual([409, 'BuyerAlreadyConfirmed'])
      await turnDown(other)
    },
    9000,
  ],
])('ends a proposal when %s', async (_because, act, price) => {
  const sale = await aProposal()
  await act(sale)
  expect(await readProgressOf(sale)).toMatchObject({ price: dollarsToCents(price), proposedPrice: null })
  expect(await statusAndCode(tryToAnswerProposal(sale, 9200, 'ACCEPTED'))).toEqual([409, 'PriceChanged'])
})

// R-deals-93
test('keeps a proposal when the asking price changes', async () => {
  const sale = await aProposal()
  await setPrice(sale, 9900)
  expect(await proposedPrice(sale)).toBe(dollarsToCents(9200))
})

// R-deals-93, R-safe-2
test('rejects proposals by anyone but the seller, without a pending request, and of the offer itself', async () => {
  const sale = await aSaleAt(server, 'requested')
  const started = await aSaleAt(server, 'started')
  const confirmed = await aSaleAt(server, 'confirmed')
  const { version } = await readProgressOf(sale)
  await offerPrice(sale, 8800)
  const body = { ...sale.at, buyerId: sale.buyer.id, price: 9200 }
  const stranger = await aBuyer(server)
  const before = await digestTables(server)
  expect(await statusAndCode(sale.buyer.send(calls.proposePrice, { body }))).toEqual([403, 'Forbidden'])
  expect(await statusAndCode(stranger.send(calls.proposePrice, { body }))).toEqual([404, 'NotFound'])
  expect(await statusAndCode(tryToPropose({ ...sale, buyer: stranger }, 9200))).toEqual([404, 'NotFound'])
  expect(await statusAndCode(tryToPropose(started, 9200))).toEqual([404, 'NotFound'])
  expect(await statusAndCode(tryToPropose(confirmed, 9200))).toEqual([409, 'InvalidTransition'])
  expect(await statusAndCode(tryToPropose(sale, 9200, version))).toEqual([409, 'StaleVersion'])
  for (const price of [0, 1.5, 10_000_001, 8800])
    expect(await statusAndCode(tryToPropose(sale, price))).toEqual([400, 'ValidationError'])
  expect(await statusAndCode(tryToAnswerProposal({ ...sale, buyer: sale.seller }, 9200, 'ACCEPTED'))).toEqual(
    [403, 'Forbidden'],
  )
  expect(await statusAndCode(tryToAnswerProposal({ ...sale, buyer: stranger }, 9200, 'ACCEPTED'))).toEqual([
    404,
    'NotFound',
  ])
  expect(await digestTables(server)).toEqual(before)
})

// R-deals-94
test.each(Array.from({ length: 8 }, (_, round) => round))(
  'lets only a price that the buyer has read become the offer when all act at once (round %i)',
  async (round) => {
    const sale = await aProposal()
    const { version } = await readProgressOf(sale)
    // Half of the rounds send no version, as a client may.
    const seen = round % 2 === 0 ? version : undefined
    const [accepted, replaced, confirmed] = await Promise.all([
      tryToAnswerProposal(sale, 9200, 'ACCEPTED', seen),
      tryToPropose(sale, 9400, seen),
      sale.seller.send(calls.decideRequest, {
        body: { ...sale.at, buyerId: sale.buyer.id, status: 'ACCEPTED', price: 9000, version: seen },
      }),
    ])
    for (const { status } of [accepted, replaced, confirmed]) expect([200, 409]).toContain(status)
    const after = await readProgressOf(sale)
    expect(after.price).toBe(dollarsToCents(accepted.status === 200 ? 9200 : 9000))
    expect(after.status).toBe(confirmed.status === 200 ? 'ACCEPTED' : 'PENDING')
    // The seller confirms $9,000 alone, and the buyer accepts $9,200 alone.
    if (accepted.status === 200) expect(confirmed.status).toBe(409)
    if (accepted.status === 200 && seen !== undefined) expect(replaced.status).toBe(409)
    if (confirmed.status === 200) expect(after.proposedPrice).toBeNull()
  },
)
