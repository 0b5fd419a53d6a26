import { expect, test } from 'vitest'
import { describeOldRules } from './old-rules.ts'

// R-deals-112
test.each([
  ['2018-01-01', null],
  [
    '2026-11-27',
    /^Older than a year, check before use: 50 state tax rates \(oldest 2025-01-01\), 6 tax notes \(oldest 2018-12-31\)\.$/,
  ],
  [
    '2028-01-01',
    /51 state tax rates .*, 12 tax notes .*, \d+ sources of the paperwork \(oldest 2026-11-22\)\.$/,
  ],
])('on %s counts the rows of law that are more than a year old', (today, line) => {
  const found = describeOldRules(new Date(today))
  if (line === null) expect(found).toBeNull()
  else expect(found).toMatch(line)
})
