import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { userSessionTables, users } from '../accounts/tables.ts'
import { type Given, prepared } from '../db/prepared.ts'
import { switchedOff } from './tables.ts'

/** Somebody who may be written to. `off`: the kinds of which they want no mail; `zone`: by which clock their browser goes. */
export type MailReader = { id: string | null; email: string | null; off: string[]; zone: string | null }

const { sessions } = userSessionTables

// Tables are named in full: the query builder leaves them out where only one is selected from.
const reader = {
  id: users.id,
  email: users.email,
  off: sql<
    string[]
  >`array(select kind from ${switchedOff} as off where off.user_id = users.id and off.channel = 'mail')`,
  zone: sql<string | null>`(select session.time_zone from ${sessions} as session
    where session.user_id = users.id and session.time_zone is not null order by session.signed_in_at desc limit 1)`,
}

export const findMailReaders = prepared('mail-readers', (db, p: Given<{ ids: string[] }>) =>
  db
    .select(reader)
    .from(users)
    .where(and(sql`${users.id} = any(${p.ids}::char(24)[])`, isNull(users.deletedAt))),
)

export const findWholesalersToMail = prepared('wholesalers-to-mail', (db, p: Given<{ limit: number }>) =>
  db
    .select(reader)
    .from(users)
    .where(
      and(
        eq(users.userType, 'WHOLESALER'),
        sql`${users.approvedAt} is not null and ${users.verifiedAt} is not null`,
        isNull(users.deletedAt),
      ),
    )
    .orderBy(asc(users.approvedAt))
    .limit(p.limit),
)
