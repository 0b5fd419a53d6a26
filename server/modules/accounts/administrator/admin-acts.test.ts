import * as administrators from '@keyturn/contract/accounts/administrators.ts'
import { resendEmail } from '@keyturn/contract/accounts/email-endpoints.ts'
import * as accounts from '@keyturn/contract/accounts/endpoints.ts'
import * as people from '@keyturn/contract/accounts/suspensions.ts'
import { claimCar, keepClaimedListing, listClaims } from '@keyturn/contract/cars/claims.ts'
import * as dealers from '@keyturn/contract/dealers/endpoints.ts'
import { completeDeal, removeListing } from '@keyturn/contract/deals/endpoints.ts'
import { allEndpoints } from '@keyturn/contract/endpoints.ts'
import { handleReport, reportMessage, sendMessage } from '@keyturn/contract/messages/endpoints.ts'
import { type Endpoint, isAdminCaller } from '@keyturn/contract/shared/endpoint.ts'
import { moveTrade } from '@keyturn/contract/trades/endpoints.ts'
import { generateSync } from 'otplib'
import { expect, test } from 'vitest'
import { aBuyer, aNamedAdministrator, aSeller, aWholesaler } from '../../../../tests/support/people.ts'
import { aCarForm, aListing, aSaleAt, readProgressOf } from '../../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'
import { aTradeAt } from '../../../../tests/support/trades.ts'
import { createAdminAuditLog } from './admin-audit-log.ts'

const server = await startTestServer()
const operator = await aNamedAdministrator(server, 'OPERATOR')

/** Each act of an operator, done once. */
const acts: [Endpoint, () => Promise<unknown>][] = [
  [administrators.confirmPassword, () => operator.ask(administrators.confirmPassword, { body: operator })],
  [administrators.finishEnrollment, enroll],
  [
    administrators.inviteAdministrator,
    () =>
      operator.ask(administrators.inviteAdministrator, {
        body: { name: 'Robin Vale', username: 'robin.vale', role: 'SUPPORT' },
      }),
  ],
  [
    administrators.changeAdministrator,
    async () => {
      const { id: administratorId } = await aNamedAdministrator(server, 'SUPPORT')
      const change = { params: { administratorId }, body: { change: 'endSessions' } } as const
      await operator.ask(administrators.changeAdministrator, change)
    },
  ],
  [accounts.approveWholesaler, () => decide(accounts.approveWholesaler)],
  [accounts.declineWholesaler, () => decide(accounts.declineWholesaler)],
  [resendEmail, resend],
  [people.suspendPerson, suspend],
  [
    people.liftSuspension,
    async () => {
      const { _id: userId, suspensions } = await suspend()
      const suspensionId = suspensions[0]?._id ?? ''
      await operator.ask(people.liftSuspension, { params: { userId, suspensionId } })
    },
  ],
  [
    people.endSessionsOfPerson,
    async () => {
      const { id: userId } = await aBuyer(server)
      await operator.ask(people.endSessionsOfPerson, { params: { userId } })
    },
  ],
  [
    removeListing,
    async () => {
      const { car } = await aListing(server)
      await operator.ask(removeListing, { params: { carId: car._id }, body: { reason: 'Fraud' } })
    },
  ],
  [keepClaimedListing, keepListing],
  [handleReport, handle],
  [dealers.addDealer, addDealer],
  [
    dealers.editDealer,
    async () => {
      const params = { dealerId: (await addDealer())._id }
      await operator.ask(dealers.editDealer, { params, body: { name: 'Bay Motors of Oakland' } })
    },
  ],
  [
    dealers.testDealer,
    async () => operator.ask(dealers.testDealer, { params: { dealerId: (await addDealer())._id } }),
  ],
  [
    dealers.replayDelivery,
    async () => {
      await aSaleAt(server, 'passed')
      const [delivery] = await operator.ask(dealers.listDeliveries, { query: { limit: 1 } })
      await operator.ask(dealers.replayDelivery, { params: { deliveryId: delivery?._id ?? '' } })
    },
  ],
  [
    completeDeal,
    async () => {
      const { pkgId = '' } = await readProgressOf(await aSaleAt(server, 'passed'))
      await operator.ask(completeDeal, { params: { pkgId: pkgId ?? '' } })
    },
  ],
  [
    moveTrade,
    async () => {
      const people = { owner: await aBuyer(server), wholesaler: await aWholesaler(server) }
      const { _id: tradeId } = await aTradeAt('REJECTED', people)
      await operator.ask(moveTrade, { params: { tradeId }, body: { status: 'PENDING' } })
    },
  ],
]

async function enroll() {
  const { secret } = await operator.ask(administrators.startEnrollment)
  const [row] = await server.query<{ s: number }>('select extract(epoch from keyturn_now())::float8 as s')
  const code = generateSync({ secret, epoch: Math.floor(row?.s ?? 0) })
  await operator.ask(administrators.finishEnrollment, { body: { code } })
}

async function decide(call: typeof accounts.approveWholesaler | typeof accounts.declineWholesaler) {
  const { id: userId } = await aWholesaler(server)
  await operator.ask(call, { params: { userId } })
}

async function resend() {
  const { id } = await aBuyer(server)
  const [mail] = await server.query<{ id: string }>(
    `update mails set sent_at = null, dead_at = keyturn_now(), failed_because = 'Full' where user_id = $1 returning id`,
    [id],
  )
  await operator.ask(resendEmail, { params: { mailId: mail?.id ?? '' } })
}

async function suspend() {
  const { id: userId } = await aBuyer(server)
  const body = { reason: 'FRAUD', note: 'Two people paid for one car.' } as const
  return operator.ask(people.suspendPerson, { params: { userId }, body })
}

async function keepListing() {
  const { car } = await aListing(server)
  const { price, ...facts } = aCarForm({ vin: car.vin })
  await (await aSeller(server)).ask(claimCar, { body: { ...facts, reason: 'It is mine.' } })
  const [claim] = await operator.ask(listClaims)
  await operator.ask(keepClaimedListing, { params: { claimId: claim?._id ?? '' } })
}

async function handle() {
  const sale = await aSaleAt(server, 'requested')
  const params = { dealId: (await readProgressOf(sale))._id }
  const { _id: messageId } = await sale.buyer.ask(sendMessage, { params, body: { text: 'Call me' } })
  await sale.seller.ask(reportMessage, { params: { ...params, messageId }, body: { reason: 'Rude' } })
  await operator.ask(handleReport, { params: { messageId } })
}

async function addDealer() {
  return operator.ask(dealers.addDealer, { body: { name: 'Bay Motors' } })
}

const isAct = ({ method, callers, adminAct }: Endpoint) =>
  method !== 'GET' && callers.some(isAdminCaller) && adminAct != null

// R-accounts-56
test.each(acts.map(([call, act]) => [call.name, act] as const))('records %s', async (_, act) => {
  const count = async () =>
    server.query(`select 1 from admin_events where administrator_id = $1 and act not like 'viewed%'`, [
      operator.id,
    ])
  const before = await count()
  await act()
  expect((await count()).length).toBeGreaterThan(before.length)
})

test('covers every act of an administrator', () => {
  // The desk needs a server of its own (`dealer-desk.test.ts`).
  const covered = [...acts.map(([{ name }]) => name), 'POST /desk/deals/:pkgId']
  expect(covered.sort()).toEqual(
    allEndpoints
      .filter(isAct)
      .map(({ name }) => name)
      .sort(),
  )
})

// R-accounts-56
test('fails for an act without an event, also when a person is signed in as well', async () => {
  const { finish } = createAdminAuditLog(server.deps)
  const administrator = {
    id: operator.id,
    username: operator.username,
    role: 'OPERATOR',
    sessionId: 'a'.repeat(24),
    ip: '',
    isConfirmed: true,
    mustEnroll: false,
  } as const
  const { id } = await aBuyer(server)
  const user = { id, sessionId: null, userType: 'BUYER', verified: true, wholesaler: false } as const
  const asked = { input: { params: {}, query: {} }, result: null }
  for (const call of [resendEmail, completeDeal])
    await expect(finish({ administrator, user }, { ...asked, call })).rejects.toThrow('has recorded no event')
  await expect(finish({ administrator, user: null }, { ...asked, call: moveTrade })).rejects.toThrow()
  // A person's own act, in a browser where both are signed in.
  await finish({ administrator, user }, { ...asked, call: moveTrade })
})
