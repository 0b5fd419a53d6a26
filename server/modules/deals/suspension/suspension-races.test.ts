import { login, refresh } from '@keyturn/contract/accounts/endpoints.ts'
import * as calls from '@keyturn/contract/deals/endpoints.ts'
import { beforeEach, expect, test } from 'vitest'
import { raceRounds } from '../../../../tests/cluster/rounds.ts'
import type { Browser, SentRequest } from '../../../../tests/support/browser.ts'
import { anAdministrator, type TestPerson } from '../../../../tests/support/people.ts'
import {
  aSaleAt,
  buyerSignature,
  readProgressOf,
  type Sale,
  type SaleStage,
  sellerSignature,
  tryToUpdateProgress,
} from '../../../../tests/support/sales/deals.ts'
import { lift, tryToSuspend } from '../../../../tests/support/sales/suspensions.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'

// A suspension meets moves that are under way: each move either ends before it or is refused.

const server = await startTestServer()

// Suspending needs a password that was entered within ten minutes, and all tests together take longer.
let administrator: Browser
beforeEach(async () => {
  administrator = await anAdministrator(server)
})

type Sent = Pick<SentRequest<never>, 'status' | 'body'>
type Move = [name: string, stage: SaleStage, send: (sale: Sale) => Promise<Sent>, happened: string]
const moves: Move[] = [
  [
    'a confirmation',
    'requested',
    ({ seller, buyer, at }) =>
      seller.send(calls.decideRequest, { body: { ...at, buyerId: buyer.id, status: 'ACCEPTED' } }),
    `select 1 from deals where id = $1 and status = 'ACCEPTED'`,
  ],
  [
    'the seller’s signature',
    'confirmed',
    ({ seller, at }) => tryToUpdateProgress(seller, at, sellerSignature()),
    `select 1 from signatures where deal_id = $1 and party = 'SELLER'`,
  ],
  [
    'the buyer’s signature',
    'sellerSigned',
    ({ buyer, at }) => tryToUpdateProgress(buyer, at, buyerSignature()),
    `select 1 from signatures where deal_id = $1 and party = 'BUYER'`,
  ],
  [
    'a completion',
    'passed',
    ({ pkgId }: Sale & { pkgId?: string }) =>
      administrator.send(calls.completeDeal, { params: { pkgId: pkgId ?? '' } }),
    `select 1 from deals where id = $1 and status = 'COMPLETED'`,
  ],
]

test.each(moves)('either ends %s before a suspension or refuses it', async (_, stage, send, happened) => {
  for (let round = 0; round < raceRounds; round++) {
    const sale = await aSaleAt(server, stage)
    const { _id: dealId, pkgId } = await readProgressOf(sale)
    const person: TestPerson = round % 2 === 0 ? sale.seller : sale.buyer
    const [moved, suspended] = await Promise.all([
      send({ ...sale, ...(pkgId && { pkgId }) }),
      tryToSuspend(administrator, person),
    ])
    expect(suspended.status, suspended.body).toBe(200)
    expect([200, 401, 409]).toContain(moved.status)
    const rows = await server.query(happened, [dealId])
    expect(rows.length === 1, moved.body).toBe(moved.status === 200)
    await lift(administrator, person)
  }
})

// R-accounts-61
test('leaves no session after a suspension that meets a sign-in and a refresh', async () => {
  for (let round = 0; round < raceRounds; round++) {
    const { seller } = await aSaleAt(server, 'started')
    const { email, password } = seller
    const stranger = server.browser()
    const sent = await Promise.all([
      tryToSuspend(administrator, seller),
      stranger.send(login, { body: { email, password } }),
      seller.send(refresh),
    ])
    expect(sent[0].status).toBe(200)
    for (const { status, body } of sent) expect(status, body).toBeLessThan(500)
    const open = await server.query('select 1 from sessions where user_id = $1 and ended_at is null', [
      seller.id,
    ])
    expect(open).toEqual([])
  }
})

// R-accounts-65
test('either deletes an account or suspends it', async () => {
  for (let round = 0; round < raceRounds; round++) {
    const { buyer } = await aSaleAt(server, 'requested')
    const [deleted, suspended] = await Promise.all([
      buyer.send(calls.deleteUser, { params: { userType: 'BUYER', id: buyer.id } }),
      tryToSuspend(administrator, buyer),
    ])
    expect([
      [200, 404],
      [401, 200],
    ]).toContainEqual([deleted.status, suspended.status])
  }
})

// R-deals-117
test('suspends both parties of a deal at once without a deadlock', async () => {
  for (let round = 0; round < raceRounds; round++) {
    const { seller, buyer } = await aSaleAt(server, 'confirmed')
    const sent = await Promise.all([seller, buyer].map((person) => tryToSuspend(administrator, person)))
    expect(sent.map(({ status }) => status)).toEqual([200, 200])
    await Promise.all([seller, buyer].map((person) => lift(administrator, person)))
  }
})
