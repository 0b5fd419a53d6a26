import { currentTextVersion, leftToPay } from '@keyturn/contract/deals/terms.ts'
import { cents } from '@keyturn/contract/shared/money.ts'
import { AgreementSheet, type SheetTerms } from './agreement-sheet.tsx'

const price = cents(950_000)

/** A fictitious sale in the current text version. */
const terms: SheetTerms = {
  date: '2026-11-16T12:00:00.000Z',
  sellerName: 'Sam Seller',
  buyerName: 'Bea Buyer',
  make: 'Honda',
  model: 'Accord',
  year: 2003,
  vin: '1HGCM82633A004352',
  mileage: 98_400,
  price,
  trades: [],
  leftToPay: leftToPay(price, []),
  sellerOwes: false,
  textVersion: currentTextVersion,
}

export const SampleAgreement = ({ holdId }: { holdId: string }) => (
  <AgreementSheet terms={terms} seller={{}} buyer={{}} holdId={holdId} />
)
