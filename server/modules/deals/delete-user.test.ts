import { editUser, getUser } from '@keyturn/contract/accounts/endpoints.ts'
import * as endpoints from '@keyturn/contract/agreements/endpoints.ts'
import * as calls from '@keyturn/contract/deals/endpoints.ts'
import { listNotifications } from '@keyturn/contract/notifications/endpoints.ts'
import { expect, test } from 'vitest'
import { aBuyer, anAdministrator, aWholesaler, type TestPerson } from '../../../tests/support/people.ts'
import { deleteAccount, listRequestsOn, readPackageIdOf } from '../../../tests/support/sales/deal-moves.ts'
import {
  aListing,
  aRequest,
  aSaleAt,
  completeSale,
  confirmBuyer,
  signAsBuyer,
  signAsSeller,
} from '../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { aTradeAt, statusAndCode } from '../../../tests/support/trades.ts'
import { findEvidenceFaults } from '../agreements/find-evidence-faults.ts'

const server = await startTestServer()
const bellOf = async (person: TestPerson) =>
  (await person.ask(listNotifications, { query: {} })).map(({ message }) => message)
const completed = 'AutoNation has completed the sale of the 2003 Honda Accord EX.'

test('removes a deleted buyer’s names, including former ones, from the seller’s notifications', async () => {
  const sale = await aSaleAt(server, 'completed')
  await sale.buyer.ask(editUser, { body: { lastName: 'Byrd-Brown' } })
  await deleteAccount(sale.buyer, 'BUYER')
  expect(await bellOf(sale.seller)).toEqual([
    completed,
    'The buyer of a 2003 Honda Accord EX signed the agreement.',
    'A buyer made an offer for a 2003 Honda Accord EX.',
  ])
})

test('removes a deleted seller’s name from the buyer’s notifications', async () => {
  const sale = await aSaleAt(server, 'completed')
  await deleteAccount(sale.seller, 'SELLER')
  expect(await bellOf(sale.buyer)).toEqual([
    completed,
    'The seller of a 2003 Honda Accord EX signed the agreement.',
    'The seller of a 2003 Honda Accord EX confirmed a buyer.',
  ])
})

// R-accounts-36, R-accounts-37
test('deletes an account only for its owner and only without an accepted deal', async () => {
  const bound = await aSaleAt(server, 'confirmed')
  const remove = (by: TestPerson, userType: string, id = by.id) =>
    by.send(calls.deleteUser, { params: { userType, id } })
  const refused = await remove(bound.buyer, 'BUYER')
  expect([refused.status, refused.error]).toEqual([
    409,
    expect.objectContaining({
      errorCode: 'DealInProgress',
      message:
        'The sale of the 2003 Honda Accord EX is in progress. You can delete your account once it is complete or called off.',
      current: { sellerId: bound.seller.id, vin: bound.car.vin },
    }),
  ])
  const free = await aSaleAt(server, 'requested')
  await deleteAccount(free.buyer, 'BUYER')
  expect((await free.buyer.send(getUser)).status).toBe(401)
  expect(await listRequestsOn(free)).toEqual([])
  const other = await aBuyer(server)
  for (const sent of [remove(other, 'BUYER', free.seller.id), remove(other, 'SELLER')])
    expect(await statusAndCode(sent)).toEqual([404, 'NotFound'])
  const short = await remove(other, 'BUYER', 'short')
  expect([short.status, short.error.message]).toEqual([400, 'Invalid ID.'])
})

// R-accounts-37
test('hides the contact data and trade notes of a deleted account in every response, while signatures stay valid', async () => {
  const buyer = await aBuyer(server, { firstName: 'Basil', lastName: 'Byrd', phoneNumber: '313-555-0177' })
  const people = { owner: buyer, wholesaler: await aWholesaler(server) }
  const trade = await aTradeAt('ACCEPTED', people, {
    message: 'Ring at number 9',
    payoff: true,
    lender: 'Ally Bank',
  })
  const sale = { ...(await aListing(server)), buyer }
  const { seller, at } = sale
  await aRequest(sale, buyer, 9000, [trade.vin])
  for (const act of [confirmBuyer, signAsSeller, signAsBuyer]) await act(sale)
  await completeSale(server, sale)
  const params = { pkgId: await readPackageIdOf(sale) }
  const administrator = await anAdministrator(server)
  const read = () =>
    Promise.all([seller, administrator].map((reader) => reader.ask(endpoints.readPackage, { params })))
  const stored = () => server.query('select contents from packages where id = $1', [params.pkgId])
  const [before, storedBefore] = [await read(), await stored()]
  expect(before[0]?.buyer).toMatchObject({ email: buyer.email, phoneNumber: '313-555-0177' })
  expect(before[0]?.trades).toMatchObject([{ message: 'Ring at number 9' }])
  await deleteAccount(buyer, 'BUYER')
  for (const [index, pkg] of (await read()).entries()) {
    const { trades = [], ...others } = before[index] ?? {}
    expect(pkg).toEqual({
      ...others,
      buyer: { ...before[index]?.buyer, email: '', phoneNumber: '' },
      trades: [{ ...trades[0], message: '' }],
    })
    expect(pkg.seller.email).toBe(seller.email)
    expect(pkg.agreement.buyer).toMatchObject({ name: 'Basil Byrd', signature: 'Basil Byrd' })
  }
  for (const { status, body } of [
    await seller.send(endpoints.readPackage, { params }),
    await seller.send(calls.getProgress, { params: at }),
    await seller.send(calls.readTimeline, { params: at }),
    await seller.send(calls.listRequests, { params: { carId: sale.car._id } }),
    await administrator.send(calls.readTimeline, { params: at }),
  ]) {
    expect(status).toBe(200)
    for (const words of [buyer.email, '313-555-0177', 'number 9']) expect(body).not.toContain(words)
  }
  expect(await stored()).toEqual(storedBefore)
  expect(await findEvidenceFaults(server.deps.db)).toEqual([])
})
