import { expect, test } from 'vitest'
import {
  type RetentionDays,
  type RetentionKind,
  retentionKindNames,
} from '../../shared/retention/retained-kinds.ts'
import { type RetentionAges, retentionRows } from './retention.ts'

const retention = Object.fromEntries(retentionKindNames.map((kind, i) => [kind, 201 + i])) as RetentionDays
const ages: RetentionAges = {
  retention,
  pushDays: 108,
  maxSessionDays: 109,
  backups: { days: 111, weeks: 1, months: 0 },
}
/** Nothing about people: results of the VIN decoder and delivery attempts. */
const otherKinds: RetentionKind[] = ['vinAnswers', 'deliveryTries']

// R-accounts-51
test('says every age that it is given, and none of its own', () => {
  const text = retentionRows(ages)
    .map(({ howLong }) => howLong)
    .join(' ')
  const told = retentionKindNames.filter((kind) => !otherKinds.includes(kind))
  const given = [...told.map((kind) => retention[kind]), 108, 109, 111, 1].sort()
  expect((text.match(/\d+/g) ?? []).map(Number).sort()).toEqual(given)
  expect(text).toContain('One for each of the last 111 days and 1 week')
})

test('does not promise anything about backups that another program makes', () => {
  const rows = retentionRows({ ...ages, backups: null })
  expect(rows.at(-1)?.howLong).toBe('As long as the operator of this site keeps them')
})

test('gives a reason and a basis for everything', () => {
  for (const { what, why, basis } of retentionRows(ages))
    expect([what, why, basis].every((text) => text.length > 5)).toBe(true)
})

// R-accounts-51
test.each(['Passkeys', 'Access tokens', 'Suspensions', 'What administrators viewed'])(
  'has a row for %s',
  (start) => {
    expect(retentionRows(ages).filter(({ what }) => what.startsWith(start))).toHaveLength(1)
  },
)
