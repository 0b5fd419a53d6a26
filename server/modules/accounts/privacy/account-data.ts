import { sql } from 'drizzle-orm'
import {
  type DataSection,
  defineDataSection,
  toMoment,
} from '../../../platform/personal-data/data-section.ts'
import { deviceName } from '../../notifications/push/device-name.ts'
import type { AccountEvent } from '../tables.ts'

// Sections of the accounts module in a person's download (R-accounts-50). Hashes of passwords and
// tokens are left out: they say nothing to a reader, and help a thief of the file.

type Profile = {
  id: string
  email: string | null
  pending_email: string | null
  user_type: string
  first_name: string
  last_name: string
  phone_number: string
  created_at: string
  verified_at: string | null
  approved_at: string | null
  declined_at: string | null
  hides_presence: boolean
}
const profile = defineDataSection<Profile>({
  name: 'profile',
  title: 'Your profile',
  tables: ['users'],
  select: ({ personId }) => sql`select * from users where id = ${personId}`,
  toRow: (row) => ({
    id: row.id,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    newEmailNotVerified: row.pending_email,
    phoneNumber: row.phone_number,
    accountType: row.user_type.toLowerCase(),
    registeredAt: toMoment(row.created_at),
    emailVerifiedAt: toMoment(row.verified_at),
    approvedAsWholesalerAt: toMoment(row.approved_at),
    declinedAsWholesalerAt: toMoment(row.declined_at),
    othersSeeWhenYouViewADeal: !row.hides_presence,
  }),
})

type Event = { id: number; at: string; actor: string; event: AccountEvent; fields: string[] }
const actors: Record<string, string> = { PERSON: 'You', CODE: 'A link in an email', ADMIN: 'Administrator' }
const events: Record<AccountEvent, string> = {
  registered: 'Account created',
  edited: 'Profile changed',
  verified: 'Email address verified',
  passwordChanged: 'Password changed',
  passwordReset: 'Password reset',
  passkeyAdded: 'Passkey added',
  passkeyRemoved: 'Passkey removed',
  approved: 'Approved as wholesaler',
  declined: 'Declined as wholesaler',
  deleted: 'Account deleted',
  exported: 'Data downloaded',
  tokenCreated: 'Access token created',
  tokenRevoked: 'Access token revoked',
}
/** Other details are the scopes of an access token. */
const fieldNames: Record<string, string> = {
  firstName: 'First name',
  lastName: 'Last name',
  phoneNumber: 'Phone number',
  email: 'Email address',
  pendingEmail: 'New email address',
}
const accountEvents = defineDataSection<Event>({
  name: 'accountEvents',
  title: 'What happened on your account',
  tables: ['account_events'],
  select: ({ personId }) =>
    sql`select id, at, actor, event, fields from account_events where user_id = ${personId}`,
  toRow: (row) => ({
    at: toMoment(row.at),
    by: actors[row.actor] ?? row.actor,
    event: events[row.event],
    details: row.fields.map((name) => fieldNames[name] ?? name).join(', '),
  }),
})

type SessionRow = {
  id: string
  authenticated_at: string | null
  with_passkey: boolean
  expires_at: string
  ended_at: string | null
  ended_because: string | null
  ip: string | null
  user_agent: string | null
  time_zone: string | null
  last_used_at: string | null
}
const sessions = defineDataSection<SessionRow>({
  name: 'sessions',
  title: 'Your sign-ins and devices',
  tables: ['sessions', 'refresh_tokens', 'access_tokens'],
  select: ({ personId }) => sql`select sessions.*, nullif(signed_in_at, 'epoch') as authenticated_at,
    (select max(created_at) from refresh_tokens where session_id = sessions.id) as last_used_at
    from sessions where user_id = ${personId}`,
  toRow: (row) => ({
    device: deviceName(row.user_agent ?? ''),
    signedInAt: toMoment(row.authenticated_at),
    signedInWith:
      row.authenticated_at === null
        ? 'A link from an email'
        : row.with_passkey
          ? 'A passkey'
          : 'The password',
    lastUsedAt: toMoment(row.last_used_at),
    endsAt: toMoment(row.expires_at),
    endedAt: toMoment(row.ended_at),
    endedBecause: row.ended_because,
    networkAddress: row.ip,
    browser: row.user_agent,
    timeZone: row.time_zone,
  }),
})

type Code = { id: string; purpose: string; address: string; created_at: string; used_at: string | null }
const purposes: Record<string, string> = {
  verify: 'Verifies an address',
  reset: 'Resets the password',
  login: 'Signs in',
}
/** Only of the current address: a new one gets no link if somebody else has an account with it. */
const emailLinks = defineDataSection<Code>({
  name: 'emailedLinks',
  title: 'Links that were emailed to you',
  tables: ['email_codes'],
  select: ({ personId }) => sql`select encode(hash, 'hex') as id, purpose, address, created_at, used_at
    from email_codes where user_id = ${personId} and address = (select email from users where id = ${personId})`,
  toRow: (row) => ({
    for: purposes[row.purpose] ?? row.purpose,
    address: row.address,
    sentAt: toMoment(row.created_at),
    usedAt: toMoment(row.used_at),
  }),
})

const knownNetworks = defineDataSection<{ id: string; last_used_at: string }>({
  name: 'knownNetworks',
  title: 'Networks that you have signed in from, without their addresses',
  tables: ['known_networks'],
  select: ({ personId }) =>
    sql`select encode(network, 'hex') as id, last_used_at from known_networks where owner = ${personId}::text`,
  toRow: (row) => ({ lastUsedAt: toMoment(row.last_used_at) }),
})

type Passkey = { id: string; name: string; created_at: string; last_used_at: string | null }
const passkeys = defineDataSection<Passkey>({
  name: 'passkeys',
  title: 'Your passkeys',
  tables: ['passkeys'],
  select: ({ personId }) =>
    sql`select id, name, created_at, last_used_at from passkeys where user_id = ${personId}`,
  toRow: (row) => ({
    name: row.name,
    addedAt: toMoment(row.created_at),
    lastUsedAt: toMoment(row.last_used_at),
  }),
})

type Token = {
  id: string
  name: string
  start: string
  scopes: string[]
  created_at: string
  expires_at: string
  last_used_at: string | null
  last_network: string | null
  revoked_at: string | null
}
const accessTokens = defineDataSection<Token>({
  name: 'accessTokens',
  title: 'Your access tokens',
  tables: ['personal_tokens'],
  select: ({ personId }) =>
    sql`select id, name, start, scopes, created_at, expires_at, last_used_at, last_network, revoked_at
      from personal_tokens where user_id = ${personId}`,
  toRow: (row) => ({
    name: row.name,
    beginsWith: row.start,
    scopes: row.scopes.join(', '),
    createdAt: toMoment(row.created_at),
    expiresAt: toMoment(row.expires_at),
    lastUsedAt: toMoment(row.last_used_at),
    lastNetwork: row.last_network,
    revokedAt: toMoment(row.revoked_at),
  }),
})

type Suspension = {
  id: string
  reason: string
  note: string | null
  suspended_at: string
  lifted_at: string | null
}
/** The person has read the text in an email. */
const suspensions = defineDataSection<Suspension>({
  name: 'suspensions',
  title: 'Suspensions of your account',
  tables: ['suspensions'],
  select: ({ personId }) =>
    sql`select id, reason, note, suspended_at, lifted_at from suspensions where user_id = ${personId}`,
  toRow: (row) => ({
    reason: row.reason.toLowerCase(),
    text: row.note,
    suspendedAt: toMoment(row.suspended_at),
    liftedAt: toMoment(row.lifted_at),
  }),
})

export const accountData: readonly DataSection[] = [
  profile,
  accountEvents,
  sessions,
  emailLinks,
  knownNetworks,
  passkeys,
  accessTokens,
  suspensions,
]
