import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { termsTexts } from '@keyturn/contract/deals/terms-texts.ts'
import { EndedPurchase } from './ended-purchase.tsx'

const { lost } = termsTexts

/** The purchase of a car that was sold to another buyer: what happened stays readable (R-deals-55). */
export const LostPurchase = ({ progress }: { progress: Progress }) => (
  <EndedPurchase progress={progress} status={lost.status} title={lost.title}>
    <p>{lost.text}</p>
  </EndedPurchase>
)
