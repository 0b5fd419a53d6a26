// Also for the landing page, which gets it from `ssr/render.tsx`.
import { currentTextVersion, leftToPay } from '@keyturn/contract/deals/terms.ts'
import { cents } from '@keyturn/contract/shared/money.ts'
import { AgreementPaper, type SheetTerms } from './agreement-paper.tsx'

const price = cents(950_000)

/** A made-up sale in the current text version. */
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
  <AgreementPaper terms={terms} seller={{}} buyer={{}} holdId={holdId} />
)
