import { and, desc, eq, gt, ne, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { now, pickColumns } from '../../platform/database/columns.ts'
import type { Db } from '../../platform/database/open-database.ts'
import { cursorTime, isAfterCursor } from '../../platform/database/pagination.ts'
import { type Placeholders, prepareQuery, type RowOf } from '../../platform/database/prepare-query.ts'
import { users } from '../accounts/tables.ts'
import { cars } from '../cars/tables.ts'
import { acceptsMessages, isPaused } from '../deals/state-sql.ts'
import { deals } from '../deals/tables.ts'
import { dealMessages, isUnseen, messageReports, messagesSeen } from './tables.ts'

const seller = alias(users, 'seller')
const buyer = alias(users, 'buyer')
const sender = alias(users, 'sender')
const reporter = alias(users, 'reporter')
const names = ['firstName', 'lastName'] as const

type OfParty = { dealId: string; personId: string }

/** Before the request is sent, only the buyer is a party. */
const isParty = (p: Placeholders<{ personId: string }>) =>
  or(eq(deals.buyerId, p.personId), and(eq(deals.sellerId, p.personId), ne(deals.status, 'STARTED')))

const dealOfParty = (db: Db, p: Placeholders<OfParty>) =>
  db
    .select({
      dealId: deals.id,
      sellerId: deals.sellerId,
      buyerId: deals.buyerId,
      isOpen: acceptsMessages,
      isPaused,
      car: pickColumns(cars, 'id', 'vin', 'year', 'make', 'model', 'trim'),
      seller: pickColumns(seller, ...names),
      buyer: pickColumns(buyer, ...names),
    })
    .from(deals)
    .innerJoin(cars, eq(cars.id, deals.carId))
    .innerJoin(seller, eq(seller.id, deals.sellerId))
    .innerJoin(buyer, eq(buyer.id, deals.buyerId))
    .where(and(eq(deals.id, p.dealId), isParty(p)))

export const findDealOfParty = prepareQuery('find-deal-of-party', (db, p: Placeholders<OfParty>) =>
  dealOfParty(db, p),
)
export const lockDealOfParty = prepareQuery('lock-deal-of-party', (db, p: Placeholders<OfParty>) =>
  dealOfParty(db, p).for('update', { of: deals }),
)
export type DealOfParty = RowOf<typeof findDealOfParty>

export const findMessages = prepareQuery(
  'find-messages',
  (db, p: Placeholders<OfParty & { before: string | null; limit: number }>) =>
    db
      .select({
        id: dealMessages.id,
        at: dealMessages.sentAt,
        senderId: dealMessages.senderId,
        sender: pickColumns(sender, ...names),
        text: dealMessages.text,
        isReported: sql<boolean>`exists (select 1 from ${messageReports} where ${messageReports.messageId} = ${dealMessages.id}
          and ${messageReports.reporterId} = ${p.personId})`,
        isNew: isUnseen(p.personId),
      })
      .from(dealMessages)
      .innerJoin(deals, eq(deals.id, dealMessages.dealId))
      .innerJoin(sender, eq(sender.id, dealMessages.senderId))
      .where(
        and(
          eq(dealMessages.dealId, p.dealId),
          isParty(p),
          sql`${dealMessages.number} < coalesce((select older.number from ${dealMessages} older
            where older.id = ${p.before}::char(24) and older.deal_id = ${p.dealId}), 9223372036854775807)`,
        ),
      )
      .orderBy(desc(dealMessages.number))
      .limit(p.limit),
)
export type MessageRow = RowOf<typeof findMessages>

export const findMessagesAfter = prepareQuery(
  'find-messages-after',
  (db, p: Placeholders<OfParty & { after: number; limit: number }>) =>
    db
      .select({
        number: dealMessages.number,
        at: dealMessages.sentAt,
        sender: pickColumns(sender, ...names),
        text: dealMessages.text,
      })
      .from(dealMessages)
      .innerJoin(deals, eq(deals.id, dealMessages.dealId))
      .innerJoin(sender, eq(sender.id, dealMessages.senderId))
      .where(and(eq(dealMessages.dealId, p.dealId), isParty(p), gt(dealMessages.number, p.after)))
      .orderBy(dealMessages.number)
      .limit(p.limit),
)

export const insertMessage = prepareQuery(
  'insert-message',
  (db, p: Placeholders<{ id: string; dealId: string; senderId: string; text: string }>) =>
    db
      .insert(dealMessages)
      .values({ id: p.id, dealId: p.dealId, senderId: p.senderId, text: p.text })
      .returning({ at: dealMessages.sentAt }),
)

export const findMessageOf = prepareQuery(
  'find-message-of',
  (db, p: Placeholders<{ messageId: string; dealId: string; personId: string }>) =>
    db
      .select({ number: dealMessages.number, senderId: dealMessages.senderId })
      .from(dealMessages)
      .innerJoin(deals, eq(deals.id, dealMessages.dealId))
      .where(and(eq(dealMessages.id, p.messageId), eq(deals.id, p.dealId), isParty(p))),
)

/** Advances the read position, which never goes back. Returns a row only when it moved. */
export const saveReadPosition = prepareQuery(
  'save-read-position',
  (db, p: Placeholders<OfParty & { upTo: number }>) =>
    db
      .insert(messagesSeen)
      .values({ dealId: p.dealId, personId: p.personId, upTo: p.upTo })
      .onConflictDoUpdate({
        target: [messagesSeen.dealId, messagesSeen.personId],
        set: { upTo: sql`excluded.up_to` },
        setWhere: sql`${messagesSeen.upTo} < excluded.up_to`,
      })
      .returning({ dealId: messagesSeen.dealId }),
)

/** Stores the first report of a message; repeating it changes nothing. */
export const insertReport = prepareQuery(
  'insert-report',
  (db, p: Placeholders<{ messageId: string; reporterId: string; reason: string }>) =>
    db
      .insert(messageReports)
      .values({ messageId: p.messageId, reporterId: p.reporterId, reason: p.reason })
      .onConflictDoNothing(),
)

export const findReports = prepareQuery(
  'find-reports',
  (db, p: Placeholders<{ limit: number; afterAt: string | null; afterId: string | null }>) =>
    db
      .select({
        id: messageReports.messageId,
        reportedAt: messageReports.reportedAt,
        handledAt: messageReports.handledAt,
        reason: messageReports.reason,
        text: dealMessages.text,
        sentAt: dealMessages.sentAt,
        senderId: dealMessages.senderId,
        sender: pickColumns(sender, ...names, 'email'),
        reporter: pickColumns(reporter, ...names),
        car: pickColumns(cars, 'year', 'make', 'model', 'trim'),
        at: cursorTime(messageReports.reportedAt),
      })
      .from(messageReports)
      .innerJoin(dealMessages, eq(dealMessages.id, messageReports.messageId))
      .innerJoin(deals, eq(deals.id, dealMessages.dealId))
      .innerJoin(cars, eq(cars.id, deals.carId))
      .innerJoin(sender, eq(sender.id, dealMessages.senderId))
      .innerJoin(reporter, eq(reporter.id, messageReports.reporterId))
      .where(isAfterCursor(messageReports.reportedAt, messageReports.messageId, p))
      .orderBy(desc(messageReports.reportedAt), desc(messageReports.messageId))
      .limit(p.limit),
)
export type ReportRow = RowOf<typeof findReports>

/** Returns a row when the report exists. A repeated call keeps the time of the first. */
export const markReportHandled = prepareQuery(
  'mark-report-handled',
  (db, p: Placeholders<{ messageId: string }>) =>
    db
      .update(messageReports)
      .set({ handledAt: sql`coalesce(${messageReports.handledAt}, ${now})` })
      .where(eq(messageReports.messageId, p.messageId))
      .returning({ id: messageReports.messageId, reporterId: messageReports.reporterId }),
)

/** Locks the deals with messages of this person, to serialize concurrent account deletions. */
export const lockDealsWithMessages = prepareQuery(
  'lock-deals-with-messages',
  (db, p: Placeholders<{ personId: string }>) =>
    db
      .select({ id: deals.id })
      .from(deals)
      .where(
        and(
          or(eq(deals.sellerId, p.personId), eq(deals.buyerId, p.personId)),
          sql`exists (select 1 from ${dealMessages} where ${dealMessages.dealId} = ${deals.id})`,
        ),
      )
      .orderBy(deals.id)
      .for('update'),
)

const isOtherDeleted = (p: Placeholders<{ personId: string }>) =>
  sql`${dealMessages.dealId} in (select ${deals.id} from ${deals} join ${users} on ${users.id} =
    case when ${deals.sellerId} = ${p.personId} then ${deals.buyerId} else ${deals.sellerId} end
    where (${deals.sellerId} = ${p.personId} or ${deals.buyerId} = ${p.personId}) and ${users.deletedAt} is not null)`

/** Deletes the texts that only this person could still read. */
export const eraseMessageTexts = prepareQuery(
  'erase-message-texts',
  (db, p: Placeholders<{ personId: string }>) =>
    db
      .update(dealMessages)
      .set({ text: null })
      .where(and(isOtherDeleted(p), sql`${dealMessages.text} is not null`)),
)

/** Deletes the reasons in this person's reports to the administrator. */
export const eraseReportReasons = prepareQuery(
  'erase-report-reasons',
  (db, p: Placeholders<{ personId: string }>) =>
    db
      .update(messageReports)
      .set({ reason: null })
      .where(and(eq(messageReports.reporterId, p.personId), sql`${messageReports.reason} is not null`)),
)
