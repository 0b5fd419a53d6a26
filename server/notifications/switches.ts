import { kindsOf, type TellingKind } from '@keyturn/contract/notifications/kinds.ts'
import type { Switches } from '@keyturn/contract/notifications/switches.ts'
import { and, eq, sql } from 'drizzle-orm'
import { users } from '../accounts/tables.ts'
import type { Db } from '../db/open.ts'
import { type Given, prepared } from '../db/prepared.ts'
import type { UserActor } from '../http/who.ts'
import { switchedOff } from './tables.ts'

export async function readSwitches(db: Db, { id, userType }: UserActor): Promise<Switches> {
  const off = new Set((await findOff(db, { userId: id })).map(({ kind }) => kind))
  const switches = kindsOf(userType === 'WHOLESALER').map((kind) => ({ kind, mail: !off.has(kind) }))
  return { switches }
}

export const switchMail = (db: Db, userId: string, kind: TellingKind, isOn: boolean): Promise<unknown> =>
  isOn ? switchOn(db, { userId, kind }) : switchOff(db, { userId, kinds: [kind] })

const findOff = prepared('switched-off', (db, p: Given<{ userId: string }>) =>
  db
    .select({ kind: switchedOff.kind })
    .from(switchedOff)
    .where(and(eq(switchedOff.userId, p.userId), eq(switchedOff.channel, 'mail'))),
)

const switchOn = prepared('switch-on', (db, p: Given<{ userId: string; kind: TellingKind }>) =>
  db
    .delete(switchedOff)
    .where(
      and(
        eq(switchedOff.userId, p.userId),
        sql`${switchedOff.kind} = ${p.kind}`,
        eq(switchedOff.channel, 'mail'),
      ),
    ),
)

/** Also for somebody whose account is gone: nothing happens then. */
export const switchOff = prepared('switch-off', (db, p: Given<{ userId: string; kinds: string[] }>) =>
  db.insert(switchedOff).select(
    sql`select users.id, kind, 'mail', keyturn_now() from ${users}, unnest(${p.kinds}::text[]) as kind
        where users.id = ${p.userId} and users.deleted_at is null on conflict do nothing`,
  ),
)

export const forgetSwitches = prepared('forget-switches', (db, p: Given<{ userId: string }>) =>
  db.delete(switchedOff).where(eq(switchedOff.userId, p.userId)),
)
