import type { Party } from '@keyturn/contract/accounts/rules.ts'
import { buildAgreement } from '@keyturn/contract/agreements/agreement.ts'
import { termSheetTexts as texts } from '@keyturn/contract/agreements/term-sheet-texts.ts'
import { CarPicture, type PicturedCar } from '../../components/display/car-picture.tsx'
import { FactTable } from '../../components/lists/fact-table.tsx'
import type { SheetTerms } from './agreement-sheet.tsx'
import classes from './signing-summary.module.css'

const { title, amounts, date } = texts.summary

type SigningSummaryProps = { terms: SheetTerms; side: Party; car: PicturedCar }

/** What matters most on the sheet below it, in the sheet's own words (R-deals-38). */
export function SigningSummary({ terms, side, car }: SigningSummaryProps) {
  const { facts } = buildAgreement(terms)
  const labels = [...amounts, date, side === 'SELLER' ? texts.buyer : texts.seller]
  return (
    <div className={classes.summary} data-print="hide">
      <div className={classes.car}>
        <div className={classes.picture}>
          <CarPicture car={car} sizes="88px" />
        </div>
        <p className={classes.name}>
          {terms.year} {terms.make} {terms.model}
        </p>
      </div>
      <FactTable
        label={title}
        facts={labels.flatMap((term) =>
          facts
            .filter(({ label }) => label === term)
            .map(({ value }) => ({ term, value, strong: amounts.some((amount) => amount === term) })),
        )}
      />
    </div>
  )
}
