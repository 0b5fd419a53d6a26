import * as agreementEndpoints from '@keyturn/contract/agreements/endpoints.ts'
import * as carEndpoints from '@keyturn/contract/cars/endpoints.ts'
import * as calls from '@keyturn/contract/deals/endpoints.ts'
import { expect, test } from 'vitest'
import { aWholesaler } from '../../../tests/support/people.ts'
import {
  aSaleAt,
  buyerSignature,
  readProgressOf,
  type Sale,
  sellerSignature,
  step,
  tryToUpdateProgress,
} from '../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { findEvidenceFaults } from './find-evidence-faults.ts'

const server = await startTestServer()
const first = 'M12 80l30 -20 14 3M300 10l0 0'
const other = 'M12 80l30 -20 14 4'
const signed = (drawing?: string | null) => ({ ...buyerSignature(), buyerDrawing: drawing })
const tryToSign = ({ buyer, at }: Sale, drawing?: string | null) =>
  tryToUpdateProgress(buyer, at, signed(drawing))

// R-deals-68
test('shows drawings on both parties’ progress and in the package, but in no list', async () => {
  const sale = await aSaleAt(server, 'confirmed')
  await sale.seller.ask(calls.updateProgress, {
    body: { ...sale.at, data: { ...sellerSignature(), sellerDrawing: other } },
  })
  expect((await tryToSign(sale, first)).status).toBe(200)
  const progress = await readProgressOf(sale)
  expect(progress).toMatchObject({ sellerDrawing: other, buyerDrawing: first, buyerSignature: 'Basil Byrd' })
  const pkg = await sale.seller.ask(agreementEndpoints.readPackage, {
    params: { pkgId: progress.pkgId ?? '' },
  })
  expect([pkg.agreement.seller.drawing, pkg.agreement.buyer.drawing]).toEqual([other, first])
  const wholesaler = await aWholesaler(server)
  const lists = [
    await wholesaler.ask(calls.listSoldCars, { query: {} }),
    await wholesaler.ask(carEndpoints.listAllCars, { query: {} }),
    await sale.seller.ask(calls.listCarsOfUser, { params: { userId: sale.seller.id } }),
    await sale.seller.ask(calls.listRequests, { params: { carId: sale.car._id } }),
  ]
  expect(JSON.stringify(lists)).not.toMatch(/drawing|M12 80/i)
})

// R-deals-68
test('accepts a repeated signature with the same drawing, and rejects a different or missing one', async () => {
  const sale = await aSaleAt(server, 'requested')
  expect((await tryToSign(sale, first)).answer.buyerDrawing).toBe(first)
  const { buyerSignedAt } = await readProgressOf(sale)
  expect((await tryToSign(sale, first)).answer.buyerSignedAt).toBe(buyerSignedAt)
  for (const different of [other, undefined, null]) {
    const sent = await tryToSign(sale, different)
    expect([sent.status, sent.error.errorCode]).toEqual([409, 'AlreadySigned'])
  }
  const typed = await aSaleAt(server, 'requested')
  await step(typed.buyer, typed.at, buyerSignature())
  expect((await tryToSign(typed, first)).error.errorCode).toBe('AlreadySigned')
  expect((await tryToSign(typed)).status).toBe(200)
})

// R-deals-68
test('rejects a malformed drawing, or one that leaves the box, under its field', async () => {
  const sale = await aSaleAt(server, 'requested')
  const tooMany = `M0 0l${Array(1500).fill('0 1 0 -1').join(' ').slice(0, 7990)}`
  for (const unfit of ['', 'M1 2', 'M601 0l0 0', 'M0 199l0 2', 'M0 0l-1 0', 'M1 2l3 4"/><script>', tooMany]) {
    const sent = await tryToSign(sale, unfit)
    expect([unfit, sent.status, sent.error.errors]).toEqual([
      unfit,
      400,
      [{ path: 'data.buyerDrawing', message: 'Please draw your signature again, or leave it out.' }],
    ])
  }
  expect((await readProgressOf(sale)).buyerSigned).toBe(false)
})

test('removes the drawing from the progress when its signature is voided', async () => {
  const sale = await aSaleAt(server, 'requested')
  await tryToSign(sale, first)
  expect(await findEvidenceFaults(server.deps.db)).toEqual([])
  await sale.seller.ask(calls.updatePrice, { params: { carId: sale.car._id }, body: { newPrice: 9900 } })
  expect(await readProgressOf(sale)).toMatchObject({ buyerSigned: false, buyerDrawing: null })
})
