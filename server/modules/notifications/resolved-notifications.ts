import { eventNames, type ResolveRule, recipientRules } from '@keyturn/contract/notifications/events.ts'
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { now } from '../../platform/database/columns.ts'
import { signatures } from '../agreements/tables.ts'
import { cars } from '../cars/tables.ts'
import { dealEvents, deals } from '../deals/tables.ts'
import { dealMessages, isUnseen } from '../messages/tables.ts'
import { trades } from '../trades/tables.ts'
import { notifications } from './tables.ts'
import { sqlLiteral } from './visible-notifications.ts'

// Whether a notification is resolved is computed from its deal or trade. No code path can forget to
// update it, and deadlines count from their exact moment.

/** Compares in milliseconds, the precision of `created_at` of notifications. */
const isLater = (moment: SQLWrapper) =>
  sql`date_trunc('milliseconds', ${moment}) > ${notifications.createdAt}`

/** Avoids `exists`: the planner would scan all such deals instead of the few that a page needs. */
const ofDeal = (state: SQL) =>
  sql`coalesce((select ${state} from ${deals} where ${deals.id} = ${notifications.dealId}), false)`
const isTakenByAnother = sql`exists (select 1 from ${deals} other where other.car_id = ${deals.carId} and other.id <> ${deals.id} and has_car(other))`
const isOver = sql`${deals.withdrawnAt} is not null or ${deals.passedAt} is not null`
const signatureOf = (party: 'SELLER' | 'BUYER', more = sql`true`) =>
  sql`exists (select 1 from ${signatures}, ${cars} where ${cars.id} = ${deals.carId} and ${signatures.dealId} = ${deals.id}
    and ${signatures.party} = ${sqlLiteral(party)} and ${signatures.carTermsVersion} = ${cars.termsVersion}
    and ${signatures.dealTermsVersion} = ${deals.termsVersion} and ${more})`

const isResolvedBy: Record<ResolveRule, SQL> = {
  requestMoved: ofDeal(sql`${deals.status} <> 'PENDING' or ${isOver} or ${isLater(deals.termsAt)}`),
  proposalOver: ofDeal(
    sql`open_proposal(${deals}) is null or ${isTakenByAnother} or ${isLater(deals.proposedAt)}`,
  ),
  messagesSeen: sql`${ofDeal(sql`${deals.withdrawnAt} is not null`)} or not exists (select 1 from ${dealMessages} where ${dealMessages.dealId} = ${notifications.dealId}
    and ${isUnseen(notifications.recipientId)})`,
  buyerActed: ofDeal(
    sql`${deals.status} <> 'ACCEPTED' or ${isOver} or hold_is_over(${deals}) or ${isLater(sql`${deals.acceptedAt}`)}
      or ${signatureOf('BUYER', isLater(signatures.signedAt))}`,
  ),
  sellerActed: ofDeal(
    sql`${deals.status} not in ('PENDING', 'ACCEPTED') or ${isOver} or coalesce(${isLater(sql`${deals.acceptedAt}`)}, false)
      or not ${signatureOf('BUYER', sql`not (${isLater(sql`${signatures.signedAt}`)})`)}`,
  ),
  waitOver: ofDeal(
    sql`${deals.status} <> 'PENDING' or ${isOver} or not exists (select 1 from ${deals} other
      where other.car_id = ${deals.carId} and has_car(other) and not (${isLater(sql`other.accepted_at`)}))`,
  ),
  tradeMoved: sql`exists (select 1 from ${trades} where ${trades.id} = ${notifications.tradeId} and (${trades.deletedAt} is not null
    or ${isLater(trades.movedAt)} or ${trades.status} = 'OFFERED' and ${trades.offerExpiresAt} <= ${now}))`,
  // The conditions of `turnsOnDeal`, checked again when the email or push is sent.
  sellerAnswered: ofDeal(
    sql`${deals.status} <> 'PENDING' or ${isOver} or ${isTakenByAnother} or ${isLater(deals.termsAt)}
      or open_proposal(${deals}) is not null`,
  ),
  sellerSigned: ofDeal(
    sql`${deals.status} <> 'ACCEPTED' or ${isOver} or hold_is_over(${deals}) or ${signatureOf('SELLER')}`,
  ),
  buyerSigned: ofDeal(
    sql`${deals.status} not in ('PENDING', 'ACCEPTED') or ${isOver} or ${isTakenByAnother} or hold_is_over(${deals})
      or ${deals.lapsedAt} is not null or open_proposal(${deals}) is not null or ${signatureOf('BUYER')}`,
  ),
  buyerAsked: ofDeal(
    sql`${deals.status} not in ('STARTED', 'REJECTED') or ${deals.withdrawnAt} is not null or ${isTakenByAnother}`,
  ),
  denialOver: ofDeal(sql`${deals.status} <> 'REJECTED' or ${deals.withdrawnAt} is not null`),
  dealerSpoke: ofDeal(
    sql`${deals.withdrawnAt} is not null or ${deals.completedAt} is not null
      or exists (select 1 from ${dealEvents} where ${dealEvents.dealId} = ${deals.id} and ${dealEvents.actor} = 'DEALER')`,
  ),
}

/**
 * True if nobody needs to read the notification or act on it any more; the table of events names
 * the rule.
 */
export const isResolvedSql = sql<boolean>`case ${sql.join(
  Object.entries(isResolvedBy).map(([rule, state]) => sql`when ${hasRule(rule)} then ${state}`),
  sql` `,
)} else false end`

/**
 * True while somebody has to act on the notification. A message that nobody read needs no action:
 * the deal counts it anyway.
 */
export const needsActionSql = sql<boolean>`(coalesce(${hasRule(
  ...(Object.keys(isResolvedBy) as ResolveRule[]).filter((rule) => rule !== 'messagesSeen'),
)}, false) and not ${isResolvedSql})`

function hasRule(...rules: string[]): SQL {
  const lines = eventNames.flatMap((event) =>
    recipientRules(event).flatMap(({ audience, line }) =>
      line.resolvedWhen !== null && rules.includes(line.resolvedWhen)
        ? sql`(${sqlLiteral(event)}, ${sqlLiteral(audience)})`
        : [],
    ),
  )
  return sql`(${notifications.event}, ${notifications.audience}) in (${sql.join(lines, sql`, `)})`
}
