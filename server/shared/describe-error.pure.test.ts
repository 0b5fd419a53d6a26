import { expect, test } from 'vitest'
import { describeError } from './describe-error.ts'

test('returns one line, whatever the innermost cause contains', () => {
  const fault = Object.assign(new Error('no room\nHINT: make some'), { code: '53100' })
  const wrapped = new Error('Failed query: insert into mails ...\nparams: a code', { cause: fault })
  expect(describeError(wrapped)).toBe('53100: no room HINT: make some')
  const everywhere = new AggregateError([
    new Error('connect ECONNREFUSED ::1:1'),
    new Error('connect ECONNREFUSED 127.0.0.1:1'),
  ])
  expect(describeError(everywhere)).toBe('connect ECONNREFUSED ::1:1; connect ECONNREFUSED 127.0.0.1:1')
})
