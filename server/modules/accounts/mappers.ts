import type { QueuedEmail } from '@keyturn/contract/accounts/email-endpoints.ts'
import type { MailboxEmail, User, Wholesaler } from '@keyturn/contract/accounts/endpoints.ts'
import type { Passkey } from '@keyturn/contract/accounts/passkeys.ts'
import { homePathOf } from '@keyturn/contract/accounts/rules.ts'
import type { Config } from '../../config.ts'
import type { UnsentEmail } from '../../platform/mail/email-repository.ts'
import type { EmailRow } from '../../platform/mail/tables.ts'
import type { PasskeyRow, UserRow } from './tables.ts'

export function toUser(config: Config, row: UserRow): User {
  return {
    _id: row.id,
    email: row.email ?? '',
    userType: row.userType,
    firstName: row.firstName,
    lastName: row.lastName,
    phoneNumber: row.phoneNumber,
    verified: row.verifiedAt !== null,
    pendingEmail: row.pendingEmail,
    approved: row.approvedAt !== null,
    home: row.email === config.wholesalerEmail ? '/wholesaler' : homePathOf(row.userType),
  }
}

export const toWholesaler = (config: Config, row: UserRow): Wholesaler => ({
  ...toUser(config, row),
  declined: row.declinedAt !== null,
  createdAt: row.createdAt.toISOString(),
})

export const toPasskey = (row: PasskeyRow): Passkey => ({
  _id: row.id,
  name: row.name,
  createdAt: row.createdAt.toISOString(),
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
})

export const toMailboxEmail = (row: EmailRow): MailboxEmail => ({
  _id: row.id,
  to: row.recipient,
  subject: row.subject,
  html: row.html,
  text: row.text,
  hasFiles: row.attachment !== null,
  createdAt: row.createdAt.toISOString(),
  sentAt: row.sentAt?.toISOString() ?? null,
})

export const toQueuedEmail = (row: UnsentEmail): QueuedEmail => ({
  _id: row.id,
  to: row.recipient,
  kind: row.kind,
  state: row.deadAt ? 'FAILED' : row.heldBack ? 'HELD' : 'WAITING',
  tries: row.attempts,
  because: row.failedBecause,
  createdAt: row.createdAt.toISOString(),
  nextTryAt: row.nextAt,
  canBeSentAgain: row.deadAt !== null && row.hasContent,
})
