import { startProgress } from '@keyturn/contract/deals/endpoints.ts'
import { listNotifications } from '@keyturn/contract/notifications/endpoints.ts'
import { expect, test } from 'vitest'
import { aBuyer, readEmailsTo, type TestPerson } from '../../../tests/support/people.ts'
import * as moves from '../../../tests/support/sales/deal-moves.ts'
import {
  aRequest,
  aSaleAt,
  completeSale,
  confirmBuyer,
  readProgressOf,
  type Sale,
  type SaleStage,
  signAsBuyer,
  signAsSeller,
  turnDown,
} from '../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { statusAndCode } from '../../../tests/support/trades.ts'

// All persons' emails are read, so that an email to the wrong one fails.

const server = await startTestServer()

type Queue = Sale & { waiting: TestPerson; interested: TestPerson }
/** The newest email first. */
type Subjects = string | string[]
type Expected = { seller?: Subjects; buyer?: Subjects; waiting?: Subjects; interested?: Subjects }

const [free, gone] = ['is available again', 'no longer for sale']
const cases: [name: string, from: SaleStage, move: (queue: Queue) => Promise<unknown>, expected: Expected][] =
  [
    [
      'the confirmed buyer is released',
      'confirmed',
      turnDown,
      { buyer: 'You are no longer the confirmed buyer', waiting: free, interested: free },
    ],
    [
      'the buyer withdraws',
      'confirmed',
      moves.withdraw,
      { seller: 'withdrew the request', waiting: free, interested: free },
    ],
    [
      'the 72 hours end',
      'sellerSigned',
      endHold,
      { seller: '72 hours', buyer: '72 hours', waiting: free, interested: free },
    ],
    ['a pending request is denied', 'requested', turnDown, { buyer: 'was denied' }],
    ['the buyer’s account is deleted', 'requested', deleteBuyer, { seller: 'withdrew the request' }],
    ['the seller’s account is deleted', 'requested', deleteSeller, { buyer: gone, waiting: gone }],
    [
      'the seller changes a detail that is no term',
      'requested',
      (at) => moves.editCar(at, { color: 'Blue' }),
      {},
    ],
    [
      'the dealer completes the sale',
      'sellerSigned',
      (queue) => signAsBuyer(queue).then(() => completeSale(server, queue)),
      {
        seller: ['is complete', 'Signed by both of you'],
        buyer: ['is complete', 'Signed by both of you'],
        waiting: 'was sold',
        interested: 'was sold',
      },
    ],
  ]
function deleteBuyer({ buyer }: Sale) {
  return moves.deleteAccount(buyer, 'BUYER')
}
function deleteSeller({ seller }: Sale) {
  return moves.deleteAccount(seller, 'SELLER')
}
async function endHold(queue: Queue) {
  await server.query('update deals set exclusive_until = keyturn_now() where car_id = $1', [queue.car._id])
  await readProgressOf(queue)
}

/** A sale with a second buyer's request on the same car, and a third who has only started. */
async function aQueueAt(stage: SaleStage): Promise<Queue> {
  const sale = await aSaleAt(server, 'requested')
  const waiting = await aBuyer(server, { firstName: 'Wanda', lastName: 'Waits' })
  await aRequest(sale, waiting, 9100)
  const interested = await aBuyer(server)
  await interested.ask(startProgress, { body: sale.at })
  if (stage !== 'requested') await confirmBuyer(sale)
  if (stage === 'sellerSigned') await signAsSeller(sale)
  return { ...sale, waiting, interested }
}

// R-notifications-6, R-notifications-31
test.each(cases)('emails exactly the specified persons when %s', async (_, from, move, expected) => {
  const queue = await aQueueAt(from)
  const each = [queue.seller, queue.buyer, queue.waiting, queue.interested]
  const subjects = () =>
    Promise.all(
      each.map(async ({ email }) => (await readEmailsTo(server, email)).map(({ subject }) => subject)),
    )
  const before = await subjects()
  await move(queue)
  const sent = (await subjects()).map((all, index) => all.slice(0, all.length - (before[index]?.length ?? 0)))
  expect(sent).toEqual(
    [expected.seller, expected.buyer, expected.waiting, expected.interested].map((words) =>
      [words ?? []].flat().map((subject) => expect.stringContaining(subject)),
    ),
  )
})

test('does not tell the seller that the car is free when a waiting buyer withdraws', async () => {
  const { seller, waiting, car } = await aQueueAt('confirmed')
  await moves.withdraw({ buyer: waiting, car })
  const [mail] = await readEmailsTo(server, seller.email)
  expect(mail?.text).toContain('no longer wants to buy')
  expect(mail?.text).not.toContain('free')
})

test('rejects a deletion or a withdrawal with a stale version', async () => {
  const sale = await aSaleAt(server, 'requested')
  expect(await statusAndCode(moves.tryToRemoveListing(sale, sale.car.version))).toEqual([409, 'StaleVersion'])
  const versionNow = async () => (await moves.listCarsOf(sale.buyer))[0]?.version
  const asked = await versionNow()
  await moves.propose(sale, 9900)
  expect(await statusAndCode(moves.tryToWithdraw(sale, asked))).toEqual([409, 'StaleVersion'])
  expect((await moves.tryToWithdraw(sale, await versionNow())).status).toBe(200)
})

// R-notifications-17
test('links notifications to the purchase, or to the list of purchases after a withdrawal', async () => {
  const sale = await aSaleAt(server, 'confirmed')
  const placeOfNewest = async () => (await sale.buyer.ask(listNotifications))[0]?.place?.kind
  expect(await placeOfNewest()).toBe('deal')
  await moves.withdraw(sale)
  expect(await placeOfNewest()).toBe('purchases')
})
