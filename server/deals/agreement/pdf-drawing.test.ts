import { finalPackage } from '@keyturn/contract/deals/calls.ts'
import { expect, test } from 'vitest'
import { aSaleAt, buyerSignature, progressOf, signAsSeller, trySteps } from '../../test/deals.ts'
import { openHouse } from '../../test/house.ts'
import { streamsIn, textOf } from '../../test/papers/pdf.ts'
import { drawAgreement, type SignedPaper } from './agreement-pdf.ts'

const house = await openHouse()

// R-deals-68
test('a drawn signature stands in the PDF as lines, named for whoever cannot see it, beside the typed one', async () => {
  const sale = await aSaleAt(house, 'confirmed')
  await signAsSeller(sale)
  await trySteps(sale.buyer, sale.at, { ...buyerSignature(), buyerDrawing: 'M12 80l30 -20 14 3M300 10l0 0' })
  const params = { pkgId: (await progressOf(sale)).pkgId ?? '' }
  const { _id, createdAt, agreement } = await sale.seller.ask(finalPackage, { params })
  const drawn: SignedPaper = { _id, createdAt, agreement, size: 'Letter' }
  const { drawing: _, ...buyer } = agreement.buyer
  const typed: SignedPaper = { ...drawn, agreement: { ...agreement, buyer } }
  const [withLines, without] = [await drawAgreement(drawn), await drawAgreement(typed)]
  expect(textOf(withLines)).toBe(textOf(without))
  expect([withLines, without].map((paper) => paper.includes('/Alt (Drawn signature of Basil Byrd)'))).toEqual(
    [true, false],
  )
  const lines = (paper: Buffer) =>
    streamsIn(paper).filter((stream) =>
      /12 80 m\s+42 60 l\s+56 63 l\s+300 10 m\s+300 10 l/.test(String(stream)),
    )
  expect([lines(withLines).length, lines(without).length]).toEqual([1, 0])
})
