import { readPrivacy } from '@keyturn/contract/accounts/privacy/endpoints.ts'
import { deleteUser } from '@keyturn/contract/deals/endpoints.ts'
import { retainedKinds } from '@keyturn/contract/shared/retention/retained-kinds.ts'
import { listTrades } from '@keyturn/contract/trades/endpoints.ts'
import { expect, test } from 'vitest'
import { removeOldRows } from '../../../tests/support/jobs/remove-old-rows.ts'
import { aBuyer, anAdministrator, aWholesaler } from '../../../tests/support/people.ts'
import { aSaleAt } from '../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { aTrade, aTradeAt, sendTradeMove } from '../../../tests/support/trades.ts'

const server = await startTestServer()
const looksIn = () =>
  server.query('select person_id, viewer_id, trade_id from contact_looks order by trade_id')

// R-accounts-52
test('records each wholesaler who is shown contact data once a day, and shows the owner who and when', async () => {
  const [owner, wholesaler] = [await aBuyer(server), await aWholesaler(server, { lastName: 'Wheeler' })]
  const trade = await aTrade(owner)
  for (let i = 0; i < 3; i++) await wholesaler.ask(listTrades, { query: { status: 'ALL' } })
  const look = { person_id: owner.id, viewer_id: wholesaler.id, trade_id: trade._id }
  expect(await looksIn()).toEqual([look])
  const { looks } = await owner.ask(readPrivacy)
  expect(looks).toMatchObject([{ kind: 'wholesaler', who: 'Robin Wheeler', car: '2013 Ford F-150' }])
  const dayBefore = `day = day - 1, first_at = first_at - interval '1 day'`
  await server.query(`update contact_looks set ${dayBefore}`)
  await wholesaler.ask(listTrades, { query: { status: 'ALL' } })
  expect(await looksIn()).toEqual([look, look])

  // Nobody else sees it.
  expect((await wholesaler.ask(readPrivacy)).looks).toMatchObject([{ act: 'approvedWholesaler' }])
  const earlier = `${retainedKinds.contactLooks.days - 1} days`
  await server.query(`update contact_looks set first_at = first_at - interval '${earlier}'`)
  await removeOldRows(server)
  expect(await looksIn()).toEqual([look])
  await owner.ask(deleteUser, { params: { userType: 'BUYER', id: owner.id } })
  expect(await looksIn()).toEqual([])
})

test('records no look at a trade without its contact data', async () => {
  const [owner, wholesaler] = [await aBuyer(server), await aWholesaler(server)]
  const other = await aWholesaler(server)
  await aTradeAt('ACCEPTED', { owner, wholesaler })
  await server.query('delete from contact_looks')
  await other.ask(listTrades, { query: { status: 'ALL' } })
  await owner.ask(listTrades, { query: { status: 'ALL' } }).catch(() => undefined)
  await (await anAdministrator(server)).ask(listTrades, { query: { status: 'ALL' } })
  expect(await looksIn()).toEqual([])
})

// R-accounts-52
test('names the other side of a deal once it knows them, and the dealer of a signed one', async () => {
  const started = await aSaleAt(server, 'started')
  expect((await started.seller.ask(readPrivacy)).looks).toMatchObject([
    { kind: 'party', who: 'Someone who started to buy', car: '2003 Honda Accord' },
  ])
  expect((await started.buyer.ask(readPrivacy)).looks).toEqual([])
  const requested = await aSaleAt(server, 'requested')
  expect((await requested.seller.ask(readPrivacy)).looks).toMatchObject([
    { kind: 'party', who: 'Basil Byrd' },
  ])
  expect((await requested.buyer.ask(readPrivacy)).looks).toMatchObject([{ who: 'Selma Sanders' }])
  const passed = await aSaleAt(server, 'passed')
  expect((await passed.buyer.ask(readPrivacy)).looks).toMatchObject([
    { kind: 'dealer', who: server.deps.config.dealer.name },
    { kind: 'party', who: 'Selma Sanders' },
  ])
})

// R-accounts-52
test('records the look at a moved trade, and shows no contact data in a conflict', async () => {
  const [owner, wholesaler] = [await aBuyer(server), await aWholesaler(server)]
  const trade = await aTrade(owner)
  await server.query('delete from contact_looks')
  const offer = { status: 'OFFERED', price: 20_000, version: trade.version }
  expect((await sendTradeMove(wholesaler, trade, offer)).body).toContain(owner.email)
  expect(await looksIn()).toEqual([{ person_id: owner.id, viewer_id: wholesaler.id, trade_id: trade._id }])
  await server.query('delete from contact_looks')
  const stale = await sendTradeMove(wholesaler, trade, offer)
  expect(stale.status).toBe(409)
  for (const contact of [owner.email, owner.phoneNumber]) expect(stale.body).not.toContain(contact)
  expect(await looksIn()).toEqual([])
})
