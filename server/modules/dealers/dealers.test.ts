import * as endpoints from '@keyturn/contract/agreements/endpoints.ts'
import {
  addDealer,
  type Dealer,
  dealerForZip,
  editDealer,
  listDealers,
  parseArea,
} from '@keyturn/contract/dealers/endpoints.ts'
import * as calls from '@keyturn/contract/deals/endpoints.ts'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { createDealerKey } from '../../../tests/support/dealers/dealer-client.ts'
import { anAdministrator, readEmailsTo } from '../../../tests/support/people.ts'
import { aSaleAt, completeSale, readProgressOf, signAsBuyer } from '../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'

const server = await startTestServer({
  DEALER_NAME: 'Keyturn Motors',
  DEALER_ADDRESS: '1 Main St, Reno, NV',
  DEALER_PHONE: '202-555-0100',
})
const administrator = await anAdministrator(server)

const add = (form: object) => administrator.ask(addDealer, { body: form })
const edit = (dealer: Dealer, changes: object) =>
  administrator.send(editDealer, {
    params: { dealerId: dealer._id },
    body: { name: dealer.name, areas: dealer.areas.join(', '), ...changes },
  })

/** Otherwise the dealers of one test would get the deals of the next. */
afterEach(async () => {
  await server.query('update dealers set active = is_default')
})

// R-deals-73
describe('the dealer of a deal', () => {
  test('is assigned by the car’s ZIP code and shown to both parties before and after delivery', async () => {
    const [bay, city] = [
      await add({ name: 'Bay Motors', areas: '94, 95000-95199', phone: '415-555-0100', hours: 'Mon to Fri' }),
      await add({ name: 'City Cars', areas: '941' }),
    ]
    const far = await aSaleAt(server, 'sellerSigned', { zipCode: '94501' })
    const near = await aSaleAt(server, 'passed', { zipCode: '94107' })
    const nowhere = await aSaleAt(server, 'requested')
    expect(await readProgressOf(far)).toMatchObject({
      dealerName: 'Bay Motors',
      dealerPhone: '415-555-0100',
      dealerHours: 'Mon to Fri',
    })
    expect(await readProgressOf(near)).toMatchObject({
      dealerName: 'City Cars',
      dealerAddress: null,
      dealerPhone: null,
    })
    expect(await readProgressOf(nowhere)).toMatchObject({
      dealerName: 'Keyturn Motors',
      dealerAddress: '1 Main St, Reno, NV',
      dealerPhone: '202-555-0100',
    })
    for (const sale of [far, near, nowhere])
      for (const person of [sale.seller, sale.buyer]) {
        const rows = await person.ask(calls.listCarsOfUser, { params: { userId: person.id } })
        expect(rows[0]?.dealerName).toBe((await readProgressOf(sale)).dealerName)
      }
    await server.query('update dealers set active = false where id = any($1)', [[bay._id, city._id]])
    // Delivered deals stay with their dealer; all other deals go to the dealer that is nearest now.
    expect((await readProgressOf(near)).dealerName).toBe('City Cars')
    const passed = await signAsBuyer(far)
    expect(passed.dealerName).toBe('Keyturn Motors')
  })

  test('is named in the package and the timeline as it was when both signed, but by its new name in later emails', async () => {
    const lake = await add({ name: 'Lake Cars', areas: '60' })
    const sale = await aSaleAt(server, 'passed', { zipCode: '60601' })
    await edit(lake, { name: 'Lake Cars and Sons' })
    const { pkgId } = await readProgressOf(sale)
    const pkg = await sale.buyer.ask(endpoints.readPackage, { params: { pkgId: pkgId ?? '' } })
    expect(pkg.dealer).toBe('Lake Cars')
    const [latest] = await sale.buyer.ask(calls.readTimeline, { params: sale.at })
    expect(latest).toMatchObject({ event: 'passed', to: 'Lake Cars' })
    await completeSale(server, sale)
    const [mail] = await readEmailsTo(server, sale.buyer.email)
    expect(mail?.text).toContain('Lake Cars and Sons has completed the sale')
  })

  test('is chosen in the database as by the rule in the contract', async () => {
    const made = await Promise.all(['a', 'b', 'c', 'd'].map((name) => add({ name })))
    const zip = fc.integer({ min: 500, max: 99_999 }).map((number) => String(number).padStart(5, '0'))
    const area = fc.oneof(
      fc.tuple(zip, fc.integer({ min: 1, max: 5 })).map(([code, length]) => code.slice(0, length)),
      fc.tuple(zip, zip).map((two) => two.sort().join('-')),
    )
    const one = fc.record({ areas: fc.array(area, { maxLength: 3 }), active: fc.boolean() })
    const dealers = fc.tuple(one, one, one, one)
    await fc.assert(
      fc.asyncProperty(dealers, fc.option(zip), async (generated, code) => {
        await server.query('delete from dealer_areas')
        for (const [at, { areas, active }] of generated.entries()) {
          await server.query('update dealers set active = $2 where id = $1', [made[at]?._id, active])
          for (const text of areas)
            await server.query('insert into dealer_areas values ($1, $2, $3) on conflict do nothing', [
              made[at]?._id,
              parseArea(text)?.first,
              parseArea(text)?.last,
            ])
        }
        const known = await administrator.ask(listDealers)
        const rows = known.map((row) => ({
          ...row,
          areas: row.areas.flatMap((text) => parseArea(text) ?? []),
        }))
        const [found] = await server.query<{ id: string }>('select dealer_for($1) as id', [code])
        expect(found?.id).toBe(dealerForZip(rows, code)?._id)
      }),
      { numRuns: 60 },
    )
  })
})

describe('the administrator’s list', () => {
  test('starts with the default dealer, whose areas alone can be changed', async () => {
    const [standard] = await administrator.ask(listDealers)
    expect(standard).toMatchObject({
      name: 'Keyturn Motors',
      phone: '202-555-0100',
      isDefault: true,
      active: true,
    })
    if (!standard) throw new Error('no default dealer')
    const edited = await edit(standard, { name: 'Mallory Motors', active: false, areas: '20' })
    expect(edited.answer).toMatchObject({ name: 'Keyturn Motors', active: true, areas: ['20'] })
    await edit(standard, { areas: '' })
  })

  test('shows how many keys a dealer has, but not the keys', async () => {
    const [first, second] = [createDealerKey(), createDealerKey()]
    const added = await add({
      name: 'Key Cars',
      webhookUrl: 'https://key.example/deals',
      webhookSecrets: `${first} ${second}`,
    })
    expect(added.keys).toBe(2)
    const listed = await administrator.send(listDealers)
    const stored = await server.query('select * from dealers')
    for (const text of [listed.body, JSON.stringify(stored)]) {
      expect(text).not.toContain(first.slice(6, 20))
      expect(text).not.toContain(Buffer.from(first).toString('hex'))
    }
    // A change without keys leaves the stored keys unchanged.
    const unchanged = await edit(added, { webhookUrl: 'https://key.example/deals' })
    expect(unchanged.answer.keys).toBe(2)
    const fewer = await edit(added, { webhookUrl: 'https://key.example/deals', webhookSecrets: second })
    expect(fewer.answer.keys).toBe(1)
  })

  test.each([
    ['areas', { areas: 'California' }],
    ['webhookUrl', { webhookUrl: 'http://key.example/', webhookSecrets: createDealerKey() }],
    ['webhookUrl', { webhookUrl: 'https://me:sesame@key.example/', webhookSecrets: createDealerKey() }],
    ['webhookUrl', { webhookUrl: 'file:///etc/passwd', webhookSecrets: createDealerKey() }],
    ['webhookSecrets', { webhookUrl: 'https://key.example/' }],
    ['webhookSecrets', { webhookSecrets: 'whsec_short' }],
    ['webhookSecrets', { webhookSecrets: `${createDealerKey()} ${createDealerKey()} ${createDealerKey()}` }],
    ['email', { email: 'nobody' }],
  ])('rejects an invalid %s for a new or a changed dealer: %j', async (path, form) => {
    const added = await add({ name: 'Odd Cars' })
    for (const sent of [
      await administrator.send(addDealer, { body: { name: 'Odd Cars', ...form } }),
      await edit(added, form),
    ])
      expect([sent.status, sent.error.errors]).toMatchObject([400, [{ path }]])
  })

  test('rejects a change based on a stale version', async () => {
    const added = await add({ name: 'Old Cars' })
    await edit(added, { name: 'New Cars' })
    const late = await edit(added, { version: added.version })
    expect([late.status, late.error.errorCode]).toEqual([409, 'StaleVersion'])
    expect(late.error.current).toMatchObject({ name: 'New Cars' })
  })
})
