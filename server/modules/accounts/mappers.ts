import type { Mail, User, Wholesaler } from '@keyturn/contract/accounts/endpoints.ts'
import type { QueuedMail } from '@keyturn/contract/accounts/mails.ts'
import { homeOf } from '@keyturn/contract/accounts/rules.ts'
import type { Config } from '../../config.ts'
import type { UnsentMail } from '../../platform/mail/mail-repository.ts'
import type { MailRow } from '../../platform/mail/tables.ts'
import type { UserRow } from './tables.ts'

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
    home: row.email === config.wholesalerEmail ? '/wholesaler' : homeOf(row.userType),
  }
}

export const toWholesaler = (config: Config, row: UserRow): Wholesaler => ({
  ...toUser(config, row),
  declined: row.declinedAt !== null,
  createdAt: row.createdAt.toISOString(),
})

export const toMail = (row: MailRow): Mail => ({
  _id: row.id,
  to: row.recipient,
  subject: row.subject,
  html: row.html,
  text: row.text,
  hasFiles: row.attachment !== null,
  createdAt: row.createdAt.toISOString(),
  sentAt: row.sentAt?.toISOString() ?? null,
})

export const toQueued = (row: UnsentMail): QueuedMail => ({
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
