import { paperworkSources } from '@keyturn/contract/agreements/paperwork/state-rules.ts'
import { isOlderThanYear } from '@keyturn/contract/shared/dates.ts'
import { sourceDate } from '@keyturn/contract/shared/law/rule-source.ts'
import { taxNotes } from '@keyturn/contract/trades/tax-notes.ts'
import { stateRates } from '../../../integrations/sales-tax/state-rates.ts'

/** Returns one line that counts the rows of law that are more than a year older than `today`; null without any. */
export function describeOldRules(today: Date): string | null {
  const tables = {
    'state tax rates': [...stateRates.values()].map(({ asOf }) => asOf),
    'tax notes': taxNotes.flatMap(({ source }) => sourceDate(source) ?? []),
    'sources of the paperwork': paperworkSources.flatMap((source) => sourceDate(source) ?? []),
  }
  const old = Object.entries(tables).flatMap(([name, dates]) => {
    const found = dates.filter((date) => isOlderThanYear(date, today))
    return found.length > 0 ? [`${found.length} ${name} (oldest ${found.sort()[0]})`] : []
  })
  return old.length > 0 ? `Older than a year, check before use: ${old.join(', ')}.` : null
}
