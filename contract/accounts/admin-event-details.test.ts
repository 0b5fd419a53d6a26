import { expect, test } from 'vitest'
import { allEndpoints } from '../endpoints.ts'
import { type AdminEventValues, describeAdminEvent } from './admin-event-details.ts'

const describe = (after: AdminEventValues | null, before: AdminEventValues | null = null) =>
  describeAdminEvent({ subject: null, before, after, ip: '203.0.113.7' })

// R-accounts-57
test('says in words what changed, from which value to which', () => {
  expect(
    describe(
      { role: 'OPERATOR', isDisabled: false, hasCodes: true },
      { role: 'SUPPORT', isDisabled: false, hasCodes: false },
    ),
  ).toEqual(['Role: Support → Operator', 'Authenticator app: no → yes', 'Network: 203.0.113.7'])
  expect(describe({ webhookUrl: 'https://dealer.example' }, { webhookUrl: null })[0]).toBe(
    'Webhook URL: none → https://dealer.example',
  )
  expect(describe({ status: 'PENDING' }, { status: 'OFFER' })[0]).toBe('Status: Countered → Pending')
})

test('says in words what an act without an earlier value was about', () => {
  expect(describe({ reason: 'IDENTITY' })[0]).toBe('Reason: Not the person named')
  expect(describe({ step: 'needsDocument' })[0]).toBe('Report: Needs document')
  // A look at a list stores the filter as it was sent.
  expect(describe({ approved: 'false' })[0]).toBe('Approved: no')
})

test('names the row, and the network', () => {
  const row = { before: null, after: null, ip: '2001:db8::1' }
  expect(describeAdminEvent({ ...row, subject: '1HGCM82633A004352' })).toEqual([
    'VIN: 1HGCM82633A004352',
    'Network: 2001:db8::1',
  ])
  const subject = 'a'.repeat(24)
  expect(describeAdminEvent({ ...row, subject })[0]).toBe(`ID: ${subject}`)
  const names = new Map([[subject, 'Robin Vale']])
  expect(describeAdminEvent({ ...row, subject }, names)[0]).toBe('Administrator: Robin Vale')
  const dealer = { name: 'Bay Motors', keys: 1 }
  expect(describe({ ...dealer, keys: 2 }, dealer).slice(0, 2)).toEqual(['Name: Bay Motors', 'Keys: 1 → 2'])
})

test('shows values of other versions in words as well', () => {
  expect(describeAdminEvent({ subject: null, before: null, after: { isNew: true }, ip: '::1' })[0]).toBe(
    'Is new: yes',
  )
})

// R-accounts-56
test('has a label for every filter of a list that administrators look at', () => {
  const unlabeled = allEndpoints.flatMap(({ name, adminAct, query }) =>
    adminAct && query ? Object.keys((query as { shape?: object }).shape ?? {}).map((key) => [name, key]) : [],
  )
  const isLabeled = ([, key = '']: string[]) => {
    const [text = ''] = describeAdminEvent({ subject: null, before: null, after: { [key]: 'x' }, ip: '' })
    return labeled.has(text.split(':')[0] ?? '')
  }
  const notRecorded = ['limit', 'cursor', 'search']
  expect(unlabeled.filter((one) => !notRecorded.includes(one[1] ?? '') && !isLabeled(one))).toEqual([])
})

const labeled = new Set([
  'Administrator ID',
  'Approved',
  'Buyer ID',
  'List',
  'Paper',
  'Person ID',
  'State',
  'Status',
])
