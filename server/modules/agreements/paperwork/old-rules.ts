import { paperworkSources } from '@keyturn/contract/agreements/paperwork/state-rules.ts'
import { isOlderThanYear } from '@keyturn/contract/shared/dates.ts'
import { taxNotes } from '@keyturn/contract/trades/tax-notes.ts'
import { stateRates } from '../../../integrations/sales-tax/state-rates.ts'

/** Returns one line that counts the rows of law read more than a year before `today`; null without any. */
export function describeOldRules(today: Date): string | null {
  const tables = {
    'state tax rates': [...stateRates.values()].map(({ asOf }) => asOf),
    'tax notes': taxNotes.flatMap(({ source }) => source.read ?? []),
    'sources of the paperwork': paperworkSources.map(({ read }) => read),
  }
  const old = Object.entries(tables).flatMap(([name, dates]) => {
    const found = dates.filter((date) => isOlderThanYear(date, today))
    return found.length > 0 ? [`${found.length} ${name} (oldest ${found.sort()[0]})`] : []
  })
  return old.length > 0 ? `Read more than a year ago, check before use: ${old.join(', ')}.` : null
}
