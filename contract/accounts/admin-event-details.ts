import type { AdminEventEntry } from './administrators.ts'
import { suspensionTexts } from './suspension-texts.ts'

/** Fields of the values that the audit log stores, with their labels (R-accounts-57). */
const labels = {
  active: 'In use',
  administrator: 'Administrator ID',
  approved: 'Approved',
  areas: 'ZIP codes',
  buyerId: 'Buyer ID',
  email: 'Email',
  hasCodes: 'Authenticator app',
  hasReason: 'With a reason',
  wasSuspended: 'Was suspended',
  isDisabled: 'Disabled',
  isHandled: 'Handled',
  isKnown: 'Known network',
  isListed: 'Listed',
  isRecovery: 'Recovery code used',
  keys: 'Keys',
  list: 'List',
  name: 'Name',
  outcome: 'Outcome',
  person: 'Person ID',
  reason: 'Reason',
  role: 'Role',
  size: 'Paper',
  state: 'State',
  status: 'Status',
  step: 'Report',
  username: 'Username',
  webhookUrl: 'Webhook URL',
  withCode: 'With a code',
} as const
type AdminEventField = keyof typeof labels
type Value = string | number | boolean | null
/** Small values only, never what a person wrote: the rows outlive the person's account. */
export type AdminEventValues = Partial<Record<AdminEventField, Value>>

/** Fields whose values are constants; all others hold names and addresses. */
const constants = new Set<string>(['list', 'outcome', 'reason', 'role', 'size', 'state', 'status', 'step'])
const special: Record<string, string> = { ...suspensionTexts.suspend.reasons, OFFER: 'Countered' }

type Details = Pick<AdminEventEntry, 'subject' | 'before' | 'after' | 'ip'>

/**
 * Says what an act changed, from which value to which, and the row and the network of the act.
 * `administrators`: names by id.
 */
export const describeAdminEvent = (
  { subject, before, after, ip }: Details,
  administrators?: ReadonlyMap<string, string>,
): string[] => [
  ...(subject === null ? [] : [subjectText(subject, administrators?.get(subject))]),
  ...changesOf(before ?? {}, after ?? {}),
  `Network: ${ip}`,
]

function subjectText(subject: string, administrator: string | undefined): string {
  if (administrator !== undefined) return `Administrator: ${administrator}`
  return `${subject.length === 17 ? 'VIN' : 'ID'}: ${subject}`
}

function changesOf(before: Record<string, Value>, after: Record<string, Value>): string[] {
  return Object.entries({ ...before, ...after }).flatMap(([field, value]) => {
    const label = labels[field as AdminEventField] ?? wordsOf(field)
    const earlier = before[field]
    // A name says which row it was, also if something else has changed.
    if (earlier === undefined || (field === 'name' && earlier === value))
      return [`${label}: ${textOf(field, value)}`]
    if (!(field in after) || earlier === value) return []
    return [`${label}: ${textOf(field, earlier)} → ${textOf(field, value)}`]
  })
}

function textOf(field: string, value: Value): string {
  if (value === null || value === '') return 'none'
  if (value === true || value === 'true') return 'yes'
  if (value === false || value === 'false') return 'no'
  return constants.has(field) ? (special[String(value)] ?? wordsOf(String(value))) : String(value)
}

/** `needsDocument` and `NEEDS_DOCUMENT` become "Needs document". */
function wordsOf(name: string): string {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
  return `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`
}
