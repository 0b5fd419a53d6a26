import type { AdminAct, AdminRole } from '@keyturn/contract/accounts/admin-acts.ts'
import type { AdminEventValues } from '@keyturn/contract/accounts/admin-event-details.ts'
import type { UserType } from '@keyturn/contract/accounts/rules.ts'
import type { SuspensionReason } from '@keyturn/contract/accounts/suspension-texts.ts'
import type { Scope } from '@keyturn/contract/shared/endpoint.ts'
import { bigint, boolean, customType, integer, pgTable, text } from 'drizzle-orm/pg-core'
import {
  bytesColumn,
  idColumn,
  jsonColumn,
  momentColumn,
  now,
  sumColumn,
} from '../../platform/database/columns.ts'

export const users = pgTable('users', {
  id: idColumn('id').primaryKey(),
  email: text('email'),
  pendingEmail: text('pending_email'),
  userType: text('user_type').$type<UserType>().notNull(),
  firstName: text('first_name').notNull(),
  lastName: text('last_name').notNull(),
  phoneNumber: text('phone_number').notNull(),
  passwordHash: text('password_hash').notNull(),
  verifiedAt: momentColumn('verified_at'),
  approvedAt: momentColumn('approved_at'),
  declinedAt: momentColumn('declined_at'),
  referredBy: idColumn('referred_by'),
  createdAt: momentColumn('created_at').notNull().default(now),
  deletedAt: momentColumn('deleted_at'),
  hidesPresence: boolean('hides_presence').notNull().default(false),
  /** Set by a trigger on `suspensions`. */
  suspendedAt: momentColumn('suspended_at'),
  declinesPasskey: boolean('declines_passkey').notNull().default(false),
})
export type UserRow = typeof users.$inferSelect

/** The owner of a session: a user's id, or the administrator's credentials. */
const ownerColumn = customType<{ data: string; config: { type: string }; configRequired: true }>({
  dataType: ({ type }) => type,
})

/** Users and the administrator have session tables of the same shape and type. */
function sessionTables(prefix: '' | 'admin_', owner: string, ownerType: string) {
  const sessions = pgTable(`${prefix}sessions` as 'sessions', {
    id: idColumn('id').primaryKey(),
    owner: ownerColumn(owner, { type: ownerType }).notNull(),
    signedInAt: momentColumn('signed_in_at').notNull().default(now),
    expiresAt: momentColumn('expires_at').notNull(),
    idleSeconds: integer('idle_seconds').notNull(),
    endedAt: momentColumn('ended_at'),
    endedBecause: text('ended_because'),
    ip: text('ip'),
    userAgent: text('user_agent'),
    timeZone: text('time_zone'),
    withPasskey: boolean('with_passkey').notNull().default(false),
  })
  const refreshTokens = pgTable(`${prefix}refresh_tokens` as 'refresh_tokens', {
    hash: bytesColumn('hash').primaryKey(),
    sessionId: idColumn('session_id').notNull(),
    parentHash: bytesColumn('parent_hash'),
    createdAt: momentColumn('created_at').notNull().default(now),
    expiresAt: momentColumn('expires_at').notNull(),
    presentedAt: momentColumn('presented_at'),
    revokedAt: momentColumn('revoked_at'),
  })
  const accessTokens = pgTable(`${prefix}access_tokens` as 'access_tokens', {
    hash: bytesColumn('hash').primaryKey(),
    sessionId: idColumn('session_id').notNull(),
    refreshHash: bytesColumn('refresh_hash').notNull(),
    expiresAt: momentColumn('expires_at').notNull(),
  })
  return { sessions, refreshTokens, accessTokens }
}
export type SessionTables = ReturnType<typeof sessionTables>

export const userSessionTables = sessionTables('', 'user_id', 'char(24)')
export const adminSessionTables = sessionTables('admin_', 'credentials', 'text')

export const emailCodes = pgTable('email_codes', {
  hash: bytesColumn('hash').primaryKey(),
  userId: idColumn('user_id').notNull(),
  purpose: text('purpose').$type<'verify' | 'reset' | 'login'>().notNull(),
  address: text('address').notNull(),
  linkVin: text('link_vin'),
  linkUserId: idColumn('link_user_id'),
  createdAt: momentColumn('created_at').notNull().default(now),
  expiresAt: momentColumn('expires_at').notNull(),
  usedAt: momentColumn('used_at'),
  supersededAt: momentColumn('superseded_at'),
})

export const accountEvents = pgTable('account_events', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  userId: idColumn('user_id').notNull(),
  at: momentColumn('at').notNull().default(now),
  actor: text('actor').$type<'PERSON' | 'CODE' | 'ADMIN'>().notNull(),
  event: text('event').$type<AccountEvent>().notNull(),
  fields: text('fields').array().notNull().default([]),
  sessionId: idColumn('session_id'),
  rowSum: sumColumn(),
})
export type AccountEvent =
  | 'registered'
  | 'edited'
  | 'verified'
  | 'passwordChanged'
  | 'passwordReset'
  | 'passkeyAdded'
  | 'passkeyRemoved'
  | 'approved'
  | 'declined'
  | 'deleted'
  | 'exported'
  | 'tokenCreated'
  | 'tokenRevoked'

export const adminEvents = pgTable('admin_events', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  at: momentColumn('at').notNull().default(now),
  administratorId: idColumn('administrator_id'),
  administrator: text('administrator').notNull(),
  role: text('role').$type<AdminRole>().notNull(),
  act: text('act').$type<AdminAct>().notNull(),
  personId: idColumn('person_id'),
  subject: text('subject'),
  before: jsonColumn('before').$type<AdminEventValues>(),
  after: jsonColumn('after').$type<AdminEventValues>(),
  sessionId: idColumn('session_id').notNull(),
  ip: text('ip').notNull(),
  rowSum: sumColumn(),
})

export const administrators = pgTable('administrators', {
  id: idColumn('id').primaryKey(),
  name: text('name').notNull(),
  username: text('username').notNull(),
  role: text('role').$type<AdminRole>().notNull(),
  passwordHash: text('password_hash'),
  totpSecret: bytesColumn('totp_secret'),
  totpConfirmedAt: momentColumn('totp_confirmed_at'),
  invitationHash: bytesColumn('invitation_hash'),
  invitationExpiresAt: momentColumn('invitation_expires_at'),
  createdAt: momentColumn('created_at').notNull().default(now),
  disabledAt: momentColumn('disabled_at'),
})
export type AdministratorRow = typeof administrators.$inferSelect

export const recoveryCodes = pgTable('administrator_recovery_codes', {
  administratorId: idColumn('administrator_id').notNull(),
  hash: bytesColumn('hash').notNull(),
  usedAt: momentColumn('used_at'),
})

export const passkeys = pgTable('passkeys', {
  id: idColumn('id').primaryKey(),
  owner: idColumn('user_id').notNull(),
  credentialId: bytesColumn('credential_id').notNull(),
  publicKey: bytesColumn('public_key').notNull(),
  signCount: bigint('sign_count', { mode: 'number' }).notNull(),
  name: text('name').notNull(),
  createdAt: momentColumn('created_at').notNull().default(now),
  lastUsedAt: momentColumn('last_used_at'),
})
export type PasskeyRow = typeof passkeys.$inferSelect

export const passkeyChallenges = pgTable('passkey_challenges', {
  hash: bytesColumn('hash').primaryKey(),
  sessionId: idColumn('session_id'),
  expiresAt: momentColumn('expires_at').notNull(),
})

export const knownNetworks = pgTable('known_networks', {
  owner: text('owner').notNull(),
  network: bytesColumn('network').notNull(),
  lastUsedAt: momentColumn('last_used_at').notNull().default(now),
})

export const suspensions = pgTable('suspensions', {
  id: idColumn('id').primaryKey(),
  userId: idColumn('user_id').notNull(),
  reason: text('reason').$type<SuspensionReason>().notNull(),
  note: text('note'),
  suspendedAt: momentColumn('suspended_at').notNull().default(now),
  suspendedBy: text('suspended_by').notNull(),
  liftedAt: momentColumn('lifted_at'),
  liftedBy: text('lifted_by'),
})
/** A token with which a person's program calls the API. */
export const personalTokens = pgTable('personal_tokens', {
  id: idColumn('id').primaryKey(),
  userId: idColumn('user_id').notNull(),
  name: text('name').notNull(),
  hash: bytesColumn('hash').notNull(),
  /** Its first characters, by which its owner recognizes it. */
  start: text('start').notNull(),
  scopes: text('scopes').array().$type<Scope[]>().notNull(),
  createdAt: momentColumn('created_at').notNull().default(now),
  expiresAt: momentColumn('expires_at').notNull(),
  /** At most an hour behind. */
  lastUsedAt: momentColumn('last_used_at'),
  lastNetwork: text('last_network'),
  revokedAt: momentColumn('revoked_at'),
})
