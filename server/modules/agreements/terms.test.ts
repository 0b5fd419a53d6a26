import { editUser } from '@keyturn/contract/accounts/endpoints.ts'
import { releasedTexts } from '@keyturn/contract/agreements/agreement.ts'
import * as agreementEndpoints from '@keyturn/contract/agreements/endpoints.ts'
import { decodeSheet, encodeSheet } from '@keyturn/contract/agreements/sheet.ts'
import * as carEndpoints from '@keyturn/contract/cars/endpoints.ts'
import * as calls from '@keyturn/contract/deals/endpoints.ts'
import type { Terms } from '@keyturn/contract/deals/terms.ts'
import { deleteTrade, setTradeLoan, type Trade } from '@keyturn/contract/trades/endpoints.ts'
import { eq } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import type { Browser } from '../../../tests/support/browser.ts'
import { createLegalTexts } from '../../../tests/support/legal-texts.ts'
import { aWholesaler, readEmailsTo } from '../../../tests/support/people.ts'
import {
  aRequest,
  aSaleAt,
  confirmBuyer,
  offerPrice,
  readProgressOf,
  type Sale,
  sellerSignature,
  signAsBuyer,
  signAsSeller,
} from '../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { aTradeAt } from '../../../tests/support/trades.ts'
import { readLegalTexts } from '../../platform/startup/legal-texts.ts'
import { sha256, signatureHash } from './evidence-hashes.ts'
import { findEvidenceFaults } from './find-evidence-faults.ts'
import { signatures } from './tables.ts'

const server = await startTestServer()
const wholesaler = await aWholesaler(server)

type TradeSale = Sale & { trade: Trade; other: Trade }

/** A car with a loan, requested with one of the buyer's two accepted trades. */
async function aTradeSale(price = 28_000): Promise<TradeSale> {
  const sale = await aSaleAt(server, 'started', { payoff: true })
  const people = { owner: sale.buyer, wholesaler }
  const trade = await aTradeAt('ACCEPTED', people)
  const other = await aTradeAt('ACCEPTED', people, { carModel: 'Ranger' })
  await aRequest(sale, sale.buyer, price, [trade.vin])
  return { ...sale, trade, other }
}

// R-deals-53
test('states the trade-ins, the amount left to pay and the seller’s loan on the sheet and in the package', async () => {
  const { trade, ...sale } = await aTradeSale()
  await confirmBuyer(sale)
  await signAsSeller(sale)
  const { pkgId } = await signAsBuyer(sale)
  const { agreement } = await sale.seller.ask(agreementEndpoints.readPackage, {
    params: { pkgId: pkgId ?? '' },
  })
  const line = { vin: trade.vin, year: 2013, make: 'Ford', model: 'F-150', value: 2_000_000, owes: false }
  expect(agreement.terms).toMatchObject({ trades: [line], leftToPay: 800_000, sellerOwes: true })
  const sheet = JSON.parse(agreement.sheet ?? '')
  expect(sheet.terms).toEqual(agreement.terms)
  expect(sheet.agreement.facts.slice(-3)).toEqual([
    { label: 'Trade-in', value: `2013 Ford F-150, VIN ${trade.vin}, $20,000` },
    { label: 'Left to pay', value: '$8,000' },
    {
      label: 'Seller’s loan',
      value: 'The seller still owes money on this car. The loan is paid off before the title passes.',
    },
  ])
})

// R-trades-38
test('adds what is owed on a trade-in to what is left to pay, and names both lenders', async () => {
  const owed = { payoff: true, payoffAmount: 11_000, lender: 'Ally Bank' }
  const sale = await aSaleAt(server, 'started', { payoff: true, payoffAmount: 5000, lender: 'Chase Auto' })
  const trade = await aTradeAt('ACCEPTED', { owner: sale.buyer, wholesaler }, owed)
  await server.query('update trades set price_cents = 800000 where id = $1', [trade._id])
  await aRequest(sale, sale.buyer, 9000, [trade.vin])
  await confirmBuyer(sale)
  await signAsSeller(sale)
  const { pkgId, terms } = await signAsBuyer(sale)
  expect(terms).toMatchObject({
    leftToPay: 1_200_000,
    sellerPayoffAmount: 500_000,
    sellerLender: 'Chase Auto',
  })
  const packaged = await sale.seller.ask(agreementEndpoints.readPackage, { params: { pkgId: pkgId ?? '' } })
  expect(packaged).toMatchObject({
    formatVersion: 2,
    car: { payoffAmount: 500_000, lender: 'Chase Auto' },
    trades: [{ payoffAmount: 1_100_000, lender: 'Ally Bank' }],
    agreement: { terms: { ...terms } },
  })
  expect(decodeSheet(packaged.agreement.sheet).agreement.facts.slice(-4)).toEqual([
    { label: 'Trade-in', value: `2013 Ford F-150, VIN ${trade.vin}, $8,000` },
    { label: 'Owed on the trade-in', value: '$11,000 to Ally Bank' },
    { label: 'Left to pay', value: '$12,000' },
    {
      label: 'Seller’s loan',
      value:
        'The seller still owes Chase Auto $5,000 on this car. The loan is paid off before the title passes.',
    },
  ])
  expect(await findEvidenceFaults(server.deps.db)).toEqual([])
})

test('says that a loan is not included when its payoff amount is not stated', async () => {
  const sale = await aSaleAt(server, 'started')
  const trade = await aTradeAt('ACCEPTED', { owner: sale.buyer, wholesaler }, { payoff: true })
  await aRequest(sale, sale.buyer, 28_000, [trade.vin])
  const { terms } = await readProgressOf(sale)
  expect(terms?.leftToPay).toBe(800_000)
  expect(terms && decodeSheet(encodeSheet(terms)).agreement.facts).toContainEqual({
    label: 'Left to pay',
    value: '$8,000. A loan on a trade-in is not included, because its payoff amount is not stated.',
  })
})

// R-deals-104
test.each([
  ['80202', 'Mountain Time', -1],
  [undefined, 'UTC', 0],
])('dates a sheet for a car at ZIP code %s in %s', async (zipCode, zone, days) => {
  const now = new Date()
  const night = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1, 4, 30)
  await server.moveClock(`${night - now.getTime()} milliseconds`)
  onTestFinished(() => server.moveClock('0 hours'))
  const sale = await aSaleAt(server, 'confirmed', { zipCode })
  await signAsSeller(sale)
  const { terms } = await signAsBuyer(sale)
  const day = new Date(night + days * 24 * 3_600_000).toISOString().slice(0, 10)
  expect(terms).toMatchObject({ day, zone })
})

test('lets nobody sign a date in another zone than they have read', async () => {
  const sale = await aSaleAt(server, 'requested', { zipCode: '80202' })
  const { version, terms } = await readProgressOf(sale)
  await sale.seller.ask(carEndpoints.editCar, { body: { vin: sale.car.vin, zipCode: '10001' } })
  const data = { ...buyersSignature, consent: true }
  const late = await sale.buyer.send(calls.updateProgress, { body: { ...sale.at, version, data } })
  expect([terms?.zone, late.status, late.error.errorCode]).toEqual(['Mountain Time', 409, 'StaleVersion'])
  expect((await signAsBuyer(sale)).terms?.zone).toBe('Eastern Time')
})

test('leaves nothing to pay and states the difference when the trade-in is worth more than the car', async () => {
  const { terms } = await readProgressOf(await aTradeSale(19_000))
  expect(terms?.leftToPay).toBe(-100_000)
  expect(terms && decodeSheet(encodeSheet(terms)).agreement.facts).toContainEqual({
    label: 'Left to pay',
    value: '$0. The trade-in is worth $1,000 more than the price.',
  })
})

const setLoan = (owner: Browser, { _id: tradeId }: Trade, body: Record<string, unknown>) =>
  owner.send(setTradeLoan, { params: { tradeId }, body })

const ask = ({ buyer, car }: Sale, trades: string[]) =>
  buyer.ask(calls.requestCar, { body: { vin: car.vin, price: 28_000, trades } })

const changes: [name: string, change: (sale: TradeSale) => Promise<unknown>][] = [
  ['another trade is added to the request', (sale) => ask(sale, [sale.trade.vin, sale.other.vin])],
  ['another trade takes its place', (sale) => ask(sale, [sale.other.vin])],
  ['the trade is deleted', ({ buyer, trade }) => buyer.ask(deleteTrade, { params: { vin: trade.vin } })],
  [
    'the accepted value is changed',
    ({ trade }) => server.query('update trades set price_cents = 1900000 where id = $1', [trade._id]),
  ],
  [
    'the payoff amount of the seller’s loan changes',
    ({ seller, car }) => seller.ask(carEndpoints.editCar, { body: { vin: car.vin, payoffAmount: 4100 } }),
  ],
  [
    'the seller’s lender changes',
    ({ seller, car }) => seller.ask(carEndpoints.editCar, { body: { vin: car.vin, lender: 'Chase Auto' } }),
  ],
  [
    'the loan on the trade is changed',
    ({ buyer, trade }) => setLoan(buyer, trade, { payoff: true, payoffAmount: 1000, lender: 'Ally Bank' }),
  ],
  [
    'the seller reports that the loan is paid off',
    ({ seller, car }) => seller.ask(carEndpoints.editCar, { body: { vin: car.vin, payoff: false } }),
  ],
]

// R-deals-33, R-deals-53
test.each(changes)('voids a signature, and rejects one on the old terms, when %s', async (_, change) => {
  const sale = await aTradeSale()
  const signed = await signAsBuyer(sale)
  expect(signed.buyerSigned).toBe(true)
  await change(sale)
  const now = await readProgressOf(sale)
  expect(now.buyerSigned).toBe(false)
  expect(now.version).toBeGreaterThan(signed.version)
  expect(now.terms).not.toMatchObject({
    trades: signed.terms?.trades,
    leftToPay: signed.terms?.leftToPay,
    sellerOwes: signed.terms?.sellerOwes,
    sellerPayoffAmount: signed.terms?.sellerPayoffAmount,
    sellerLender: signed.terms?.sellerLender,
  })
  const stale = await sale.buyer.send(calls.updateProgress, {
    body: { ...sale.at, version: signed.version, data: buyersSignature },
  })
  expect([stale.status, stale.error.errorCode]).toEqual([409, 'StaleVersion'])
})

// R-trades-39
test('records a changed loan in the timeline, and refuses one once the buyer is confirmed', async () => {
  const { trade, ...sale } = await aTradeSale()
  const loan = { payoff: true, payoffAmount: 11_000, lender: 'Ally Bank' }
  await sale.seller.ask(carEndpoints.editCar, { body: { vin: sale.car.vin, lender: 'Chase Auto' } })
  expect((await setLoan(sale.buyer, trade, loan)).status).toBe(200)
  expect((await readProgressOf(sale)).terms?.leftToPay).toBe(1_900_000)
  const entries = await sale.buyer.ask(calls.readTimeline, { params: sale.at })
  expect(entries.slice(0, 2)).toMatchObject([
    {
      event: 'loanChanged',
      from: 'none',
      to: '$11,000 to Ally Bank',
      facts: { of: 'TRADE', vin: trade.vin },
    },
    {
      event: 'loanChanged',
      from: 'amount not stated',
      to: 'amount not stated, to Chase Auto',
      facts: { of: 'CAR' },
    },
  ])
  await confirmBuyer(sale)
  const late = await setLoan(sale.buyer, trade, { ...loan, payoffAmount: 1 })
  expect([late.status, late.error.errorCode]).toEqual([409, 'DealInProgress'])
  const stranger = await setLoan(sale.seller, trade, loan)
  expect(stranger.status).toBe(404)
})

// R-deals-33
test('names a changed loan in the timeline and in the email, beside another changed term', async () => {
  const sale = await aSaleAt(server, 'requested')
  await sale.seller.ask(carEndpoints.editCar, {
    body: { vin: sale.car.vin, mileage: 92_000, payoff: true, payoffAmount: 5000, lender: 'Chase Auto' },
  })
  const entries = await sale.buyer.ask(calls.readTimeline, { params: sale.at })
  expect(entries.slice(0, 2)).toMatchObject([
    { event: 'loanChanged', from: 'none', to: '$5,000 to Chase Auto', facts: { of: 'CAR' } },
    { event: 'termsChanged', from: '2003 Honda Accord, 91,000 miles', to: '2003 Honda Accord, 92,000 miles' },
  ])
  const [mail] = await readEmailsTo(server, sale.buyer.email)
  expect(mail?.text).toContain('Before: 2003 Honda Accord, 91,000 miles; owed on the car: none.')
  expect(mail?.text).toContain('Now: 2003 Honda Accord, 92,000 miles; owed on the car: $5,000 to Chase Auto.')
})

const buyersSignature = {
  userType: 'BUYER',
  step: [7],
  buyerSigned: true,
  buyerSignedName: 'Basil Byrd',
  buyerSignature: 'Basil Byrd',
}

test('prevents changes to a trade that both have signed', async () => {
  const { trade, ...sale } = await aTradeSale()
  await confirmBuyer(sale)
  await signAsSeller(sale)
  await signAsBuyer(sale)
  await expect(server.query('update trades set price_cents = 1 where id = $1', [trade._id])).rejects.toThrow(
    'never changed',
  )
})

const firstText = '2026-11-1'

/** Rewrites the signature as a server would have stored it while the first text was current. */
async function signUnderFirstText(sale: Sale): Promise<string> {
  const { _id } = await readProgressOf(sale)
  const { db } = server.owner
  const [row] = await db.select().from(signatures).where(eq(signatures.dealId, _id))
  if (!row) throw new Error('No signature found')
  const { trades: _, leftToPay: __, sellerOwes: ___, ...first } = JSON.parse(row.terms) as Terms
  const terms = { ...first, textVersion: firstText }
  const sheet = encodeSheet(terms)
  const evidence = {
    ...row,
    terms: JSON.stringify(terms),
    textVersion: firstText,
    sheet,
  }
  await server.query('alter table signatures disable trigger user')
  await db
    .update(signatures)
    .set({
      terms: evidence.terms,
      textVersion: firstText,
      sheet,
      termsHash: sha256(evidence.terms),
      sheetHash: sha256(sheet),
      hash: signatureHash(evidence, null),
    })
    .where(eq(signatures.id, row.id))
  await server.query('alter table signatures enable trigger user')
  return sheet
}

// R-deals-39
test('has the second party sign the first party’s sheet, even after a newer text was released', async () => {
  expect(Object.keys(releasedTexts).length).toBeGreaterThan(1)
  const { trade: _, ...sale } = await aTradeSale()
  await signAsBuyer(sale)
  const sheet = await signUnderFirstText(sale)
  await confirmBuyer(sale)
  const { terms } = await sale.seller.ask(calls.getProgress, { params: sale.at })
  expect(terms?.textVersion).toBe(firstText)
  const { pkgId } = await signAsSeller(sale)
  const { agreement } = await sale.buyer.ask(agreementEndpoints.readPackage, {
    params: { pkgId: pkgId ?? '' },
  })
  expect(agreement).toMatchObject({ sheet, textVersion: firstText, hash: sha256(sheet).toString('hex') })
  expect(agreement.terms).toEqual(JSON.parse(sheet).terms)
  expect(await findEvidenceFaults(server.deps.db)).toEqual([])
})

test('uses the current text when terms that were signed under an earlier text change', async () => {
  const sale = await aTradeSale()
  await signAsBuyer(sale)
  await signUnderFirstText(sale)
  await offerPrice(sale, 27_000)
  const { terms, buyerSigned } = await readProgressOf(sale)
  expect([buyerSigned, terms?.textVersion, terms?.leftToPay]).toEqual([false, '2026-11-3', 700_000])
})

// R-everywhere-61, R-deals-39
test('has both sign the operator’s text, which the signed sheet contains', async () => {
  const { config } = server.deps
  const use = (agreement: string | null) => {
    const folder = createLegalTexts(agreement === null ? {} : { 'agreement.txt': agreement })
    config.legalTexts = readLegalTexts('LEGAL_TEXTS_FOLDER', folder)
    return config.legalTexts.agreement
  }
  onTestFinished(() => {
    config.legalTexts = null
  })
  const sale = await aSaleAt(server, 'confirmed')
  const ours = (await readProgressOf(sale)).terms?.textVersion
  const own = use(null)
  const { terms, version } = await readProgressOf(sale)
  expect(terms).toMatchObject(own)
  const data = { ...sellerSignature(), textVersion: ours }
  const late = await sale.seller.send(calls.updateProgress, { body: { ...sale.at, version, data } })
  expect([late.status, late.error]).toMatchObject([
    409,
    { errorCode: 'StaleVersion', current: { terms: own } },
  ])
  const unnamed = { ...sale.at, version, data: sellerSignature() }
  expect((await sale.seller.send(calls.updateProgress, { body: unnamed })).status).toBe(409)
  await signAsSeller(sale, undefined, own.textVersion)
  use('# Another\n\nThe car is held for 72 hours.\n\n## Law\n\nOhio’s law applies.')
  const { pkgId } = await signAsBuyer(sale, undefined, own.textVersion)
  const params = { pkgId: pkgId ?? '' }
  const { agreement } = await sale.buyer.ask(agreementEndpoints.readPackage, { params })
  expect(agreement.textVersion).toBe(own.textVersion)
  expect(agreement.terms).not.toHaveProperty('words')
  expect(decodeSheet(agreement.sheet)).toMatchObject({ terms: own, agreement: own.words })
  expect(await findEvidenceFaults(server.deps.db)).toEqual([])
})

// R-deals-31
test('returns 409 with the new terms when the other party was renamed after the sheet was read', async () => {
  const sale = await aSaleAt(server, 'confirmed')
  const { version } = await readProgressOf(sale)
  await sale.buyer.ask(editUser, { body: { firstName: 'Mallory', lastName: 'Moe' } })
  const body = { ...sale.at, version, data: sellerSignature() }
  const sent = await sale.seller.send(calls.updateProgress, { body })
  expect([sent.status, sent.error.errorCode]).toEqual([409, 'StaleVersion'])
  expect(sent.error.current).toMatchObject({ terms: { buyerName: 'Mallory Moe' } })
  await signAsSeller(sale)
  await sale.buyer.ask(editUser, { body: { firstName: 'Robin', lastName: 'Reed' } })
  expect((await readProgressOf(sale)).terms?.buyerName).toBe('Mallory Moe')
  expect((await signAsBuyer(sale)).fullySigned).toBe(true)
})
