import { currentTextVersion, leftToPay } from '@keyturn/contract/deals/terms.ts'
import type { OwnText1 } from '@keyturn/contract/frozen/own-agreement-1/sheet.ts'
import { cents } from '@keyturn/contract/shared/money.ts'
import { AgreementSheet, type SheetTerms } from './agreement-sheet.tsx'

const price = cents(950_000)

/** A fictitious sale. */
const terms = {
  date: '2026-11-16T12:00:00.000Z',
  day: '2026-11-16',
  zone: 'Eastern Time',
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
  sellerPayoffAmount: null,
  sellerLender: '',
} satisfies Partial<SheetTerms>

type SampleAgreementProps = { text: OwnText1 | null; holdId: string }

/** The text that people sign, the operator's or ours. */
export const SampleAgreement = ({ text, holdId }: SampleAgreementProps) => (
  <AgreementSheet
    terms={{ ...terms, ...(text ?? { textVersion: currentTextVersion }) }}
    seller={{}}
    buyer={{}}
    holdId={holdId}
  />
)
