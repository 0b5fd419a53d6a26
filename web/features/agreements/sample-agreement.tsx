// Also for the landing page, to which `ssr/render.tsx` hands it.
import { currentVersion, leftToPay } from '@keyturn/contract/agreements/agreement.ts'
import { cents } from '@keyturn/contract/shared/money.ts'
import { AgreementPaper, type SheetTerms } from './agreement-paper.tsx'

const price = cents(950_000)

/** Of nobody: a made-up sale, written into the text that is signed today. */
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
  textVersion: currentVersion,
}

export const SampleAgreement = ({ holdId }: { holdId: string }) => (
  <AgreementPaper terms={terms} seller={{}} buyer={{}} holdId={holdId} />
)
