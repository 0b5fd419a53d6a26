import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../../platform/database/open-database.ts'
import { type Placeholders, prepareQuery } from '../../../platform/database/prepare-query.ts'
import { encodeHidingSignal as hidingSignal } from '../../notifications/events/signal.ts'
import { users } from '../tables.ts'

// The preference whether other people may see which deal a person has open (R-deals-82).

const findHiding = prepareQuery('find-presence-setting', (db, p: Placeholders<{ id: string }>) =>
  db.select({ hides: users.hidesPresence }).from(users).where(eq(users.id, p.id)),
)

const saveHiding = prepareQuery(
  'save-presence-setting',
  (db, p: Placeholders<{ id: string; hides: boolean; signal: string }>) =>
    db
      .update(users)
      .set({ hidesPresence: sql`${p.hides}` })
      .where(eq(users.id, p.id))
      .returning({ hides: users.hidesPresence, sent: sql`pg_notify('keyturn', ${p.signal})` }),
)

export async function readPresenceSetting(db: Db, id: string): Promise<{ isShown: boolean }> {
  const [found] = await findHiding(db, { id })
  return { isShown: found?.hides === false }
}

/** Makes all processes forget the person's presence, so that nobody continues to see it. */
export async function setPresenceSetting(
  db: Db,
  id: string,
  isShown: boolean,
): Promise<{ isShown: boolean }> {
  const [saved] = await saveHiding(db, { id, hides: !isShown, signal: hidingSignal(id) })
  return { isShown: saved?.hides === false }
}
