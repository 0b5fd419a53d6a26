import type { RetentionDays } from '../../shared/retention/retained-kinds.ts'
import { plural } from '../../shared/texts.ts'
import type { RetentionRow } from './endpoints.ts'

/** Ages at which jobs delete rows. The server fills them with the constants of those jobs. */
export type RetentionAges = {
  /** Ages of the rows that the retention job removes (R-everywhere-69). */
  retention: RetentionDays
  pushDays: number
  maxSessionDays: number
  /** Null: this server makes no backups itself. */
  backups: { days: number; weeks: number; months: number } | null
}

const days = (count: number) => plural(count, 'day')
const list = new Intl.ListFormat('en-US')
const untilDeletion = 'Until you delete your account'
const bases = {
  account: 'Needed for your account and your sales',
  security: 'Protects your account',
  evidence: 'Proves a signed agreement to both sides',
} as const

/** Everything that is stored about a person: how long, and why (R-accounts-51). */
export const retentionRows = (ages: RetentionAges): RetentionRow[] => [
  {
    what: 'Your profile and your settings',
    howLong: untilDeletion,
    why: 'The other side of a deal needs it to reach you.',
    basis: bases.account,
  },
  {
    what: 'Your cars, photos, requests, trades and offers',
    howLong: `${untilDeletion}. Sales that both sides signed stay for the other side`,
    why: 'They are your listings and sales.',
    basis: bases.account,
  },
  {
    what: 'Messages',
    howLong: 'Until both sides have deleted their accounts',
    why: 'They also belong to the person who received them.',
    basis: bases.account,
  },
  {
    what: 'Notifications',
    howLong: `${days(ages.retention.readNotifications)} once you have read them, else ${days(ages.retention.notifications)}. Those that still need you stay`,
    why: 'They say what happened in your sales.',
    basis: bases.account,
  },
  {
    what: 'Signed agreements, signatures and consents to sign electronically',
    howLong:
      'As long as this service exists, also after you delete your account. They contain your name and the email address you signed with',
    why: 'The other side has to be able to prove what was signed.',
    basis: bases.evidence,
  },
  {
    what: 'What happened on your account, your trades and your deals, and when',
    howLong: 'As long as this service exists. After you delete your account, the entries no longer name you',
    why: 'They show who changed what.',
    basis: bases.evidence,
  },
  {
    what: 'Sessions: network address, browser and time zone',
    howLong: `At most ${days(ages.maxSessionDays)}, then ${days(ages.retention.signIns)} as past sign-ins`,
    why: 'You can see where you are signed in, and sign out there.',
    basis: bases.security,
  },
  {
    what: 'Passkeys, without your fingerprint or face',
    howLong: 'Until you remove them or delete your account',
    why: 'You sign in with them.',
    basis: bases.security,
  },
  {
    what: 'Access tokens for your programs, as digests',
    howLong: `Until you delete your account, or ${days(ages.retention.accessTokens)} after they expired or you revoked them`,
    why: 'Your own programs use the site for you with them.',
    basis: bases.account,
  },
  {
    what: 'Networks that you have signed in from, as digests that cannot be reversed',
    howLong: `${days(ages.retention.knownNetworks)} after you last used them`,
    why: 'Strangers who guess at your password cannot lock you out.',
    basis: bases.security,
  },
  {
    what: 'Links that were emailed to you to verify your address, reset your password or sign in',
    howLong: `${days(ages.retention.emailCodes)} after they expired`,
    why: 'So that each link works only once, and a new one leads to the same car as an expired one.',
    basis: bases.security,
  },
  {
    what: 'Emails to you',
    howLong: `The text until it is sent, or ${days(ages.retention.failedEmailTexts)} if it could not be sent. The record that it was sent: ${days(ages.retention.emails)}`,
    why: 'So that we can find out what happened to a missing email.',
    basis: bases.account,
  },
  {
    what: 'Responses to your last actions',
    howLong: days(ages.retention.responses),
    why: 'A repeated request is not carried out twice.',
    basis: bases.account,
  },
  {
    what: 'Reports of messages and cars that you made',
    howLong: `${days(ages.retention.reports)} after they were decided`,
    why: 'They show earlier decisions about the same person or car.',
    basis: bases.security,
  },
  {
    what: 'Devices with notifications turned on, and notifications that wait for them',
    howLong: `Until you turn them off or sign out. A notification waits for at most ${days(ages.pushDays)}`,
    why: 'They are sent where you asked for them.',
    basis: bases.account,
  },
  {
    what: 'Suspensions of your account',
    howLong:
      'As long as this service exists, with their reason. What was written to you is deleted with your account',
    why: 'They show why an account was suspended.',
    basis: bases.security,
  },
  {
    what: 'What administrators viewed and did',
    howLong: 'As long as this service exists. After you delete your account, the entries no longer name you',
    why: 'So that you can see it, and nobody can hide it.',
    basis: bases.security,
  },
  {
    what: 'Wholesalers who saw your contact data',
    howLong: days(ages.retention.contactLooks),
    why: 'You can see it here.',
    basis: bases.security,
  },
  {
    what: 'The server log: sign-ins with their network addresses, and errors',
    howLong: 'As long as the operator of this site keeps it',
    why: 'So that attacks and errors can be investigated.',
    basis: bases.security,
  },
  {
    what: 'Backups of everything above except the server log',
    howLong: describeBackups(ages.backups),
    why: 'So that a hardware failure does not destroy your sales.',
    basis: bases.security,
  },
]

function describeBackups(keep: RetentionAges['backups']): string {
  if (keep === null) return 'As long as the operator of this site keeps them'
  const parts = [
    [keep.days, 'day'],
    [keep.weeks, 'week'],
    [keep.months, 'month'],
  ] as const
  const lasting = parts.flatMap(([count, unit]) => (count > 0 ? plural(count, unit) : []))
  return `One for each of the last ${list.format(lasting)}`
}
