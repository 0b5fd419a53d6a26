import type { RetentionDays } from '@keyturn/contract/shared/retention/retained-kinds.ts'
import { type SQL, sql } from 'drizzle-orm'
import { type Db, transaction } from '../../platform/database/open-database.ts'
import { batchSize, isOlderThan, type RetentionRule } from '../../platform/retention/retention-rule.ts'
import { isResolvedSql, needsActionSql } from './resolved-notifications.ts'
import { notificationMarks as marks, notifications, notificationReads as reads } from './tables.ts'

const { createdAt, id, recipientId } = notifications

/** Avoids `exists`: the planner would scan everything that anybody has ever read. */
const found = (rows: SQL) => sql`coalesce((select true from ${rows} limit 1), false)`
const isRead = sql`(${found(sql`${reads} where ${reads.userId} = ${recipientId} and ${reads.notificationId} = ${id}`)}
  or ${found(sql`${marks} where ${marks.userId} = ${recipientId}
    and (${createdAt}, ${id}) <= (${marks.readTo}, ${marks.readToId})`)})`

/** Notifications of all wholesalers have no reader of their own, so they wait for the later age. */
const isDone = sql`${recipientId} is not null and (${isRead} or ${isResolvedSql})`

type Tier = {
  kind: 'readNotifications' | 'notifications'
  /** Notifications that have come into this age (R-everywhere-70). */
  isOldEnough: (days: RetentionDays) => SQL
  isRemovable: SQL
}

const tiers: readonly Tier[] = [
  {
    kind: 'notifications',
    isOldEnough: (days) => isOlderThan(sql`${createdAt}`, days.notifications),
    isRemovable: sql`not ${needsActionSql}`,
  },
  {
    kind: 'readNotifications',
    isOldEnough: (days) =>
      sql`${isOlderThan(sql`${createdAt}`, days.readNotifications)} and not ${isOlderThan(sql`${createdAt}`, days.notifications)}`,
    isRemovable: sql`${isDone} and not ${needsActionSql}`,
  },
]

/** Pages without anything to remove that one run reads; the next run reads on behind them. */
const maxIdlePages = 20

/**
 * Reads old notifications page by page. Those that stay, because nobody has read them, may be many:
 * so a run reads a bounded number, and this process remembers its place.
 */
export const createNotificationRetention = (): readonly RetentionRule[] => tiers.map(createRule)

type Cursor = { at: string; id: string }
const start: Cursor = { at: '-infinity', id: '' }

function createRule({ kind, isOldEnough, isRemovable }: Tier): RetentionRule {
  let cursor = start
  let idlePages = 0
  return {
    kind,
    removeBatch: async (db, days) => {
      const { removed, next } = await removePage({ db, isOldEnough: isOldEnough(days), isRemovable, cursor })
      idlePages = removed > 0 ? 0 : idlePages + 1
      cursor = next ?? start
      const hasMore = next !== null && idlePages < maxIdlePages
      if (!hasMore) idlePages = 0
      return { removed, hasMore }
    },
    oldest: (days) => sql`
      select at from (
        select ${createdAt} as at, ${isRemovable} as removable from ${notifications}
        where ${isOldEnough(days)} order by ${createdAt}, ${id} limit ${batchSize}) as page
      where removable order by at limit 1`,
  }
}

type Page = { db: Db; isOldEnough: SQL; isRemovable: SQL; cursor: Cursor }

/** `next` is null once no notification follows. */
const removePage = ({ db, isOldEnough, isRemovable, cursor }: Page) =>
  transaction(db, async (tx): Promise<{ removed: number; next: Cursor | null }> => {
    const { rows } = await tx.execute<{ at: string; id: string; removable: boolean }>(sql`
      select ${createdAt}::text as at, ${id}, ${isRemovable} as removable from ${notifications}
      where ${isOldEnough} and (${createdAt}, ${id}) > (${cursor.at}::timestamptz, ${cursor.id}::bpchar)
      order by ${createdAt}, ${id} limit ${batchSize} for update skip locked`)
    const ids = rows.filter(({ removable }) => removable).map((row) => row.id)
    if (ids.length > 0) {
      await tx.delete(reads).where(sql`${reads.notificationId} = any(${sql.param(ids)}::bpchar[])`)
      await tx.delete(notifications).where(sql`${id} = any(${sql.param(ids)}::bpchar[])`)
    }
    return { removed: ids.length, next: rows.length < batchSize ? null : (rows.at(-1) ?? null) }
  })
