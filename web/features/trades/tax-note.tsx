import { formatPlainDate, isOlderThanYear } from '@keyturn/contract/shared/dates.ts'
import { describeReading } from '@keyturn/contract/shared/law/rule-source.ts'
import { formatTaxRate } from '@keyturn/contract/trades/credit-explanation.ts'
import { taxNoteOf } from '@keyturn/contract/trades/tax-notes.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { Anchor, Text } from '@mantine/core'

const texts = tradeTexts.tax

type RateOrigin = { rate: string | null; state: string | null; asOf: string | null }

/** The date of the rate, and what the state does where that differs from the formula (R-trades-40). */
export function TaxNote({ rate, state, asOf }: RateOrigin) {
  const note = taxNoteOf(state)
  return (
    <>
      {asOf !== null && (
        <Text c="dimmed" fz="sm">
          {texts.asOf(formatTaxRate(rate), formatPlainDate(asOf))}
          {isOlderThanYear(asOf, new Date()) && ` ${texts.old}`}
        </Text>
      )}
      {note && (
        <Text fz="sm">
          {note.sentence}{' '}
          <Anchor href={note.source.url} target="_blank" rel="noopener noreferrer" fz="sm">
            {note.source.name}
          </Anchor>
          , {describeReading(note.source, new Date())}. {texts.checkBeforeUse}
        </Text>
      )}
    </>
  )
}
