import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../../platform/database/open-database.ts'
import { type Placeholders, prepared } from '../../../platform/database/prepared.ts'
import { encodeHiding as hidingSignal } from '../../notifications/events/signal.ts'
import { users } from '../tables.ts'

// The preference whether other people may see which deal a person has open (R-deals-82).

const findHiding = prepared('find-hiding', (db, p: Placeholders<{ id: string }>) =>
  db.select({ hides: users.hidesPresence }).from(users).where(eq(users.id, p.id)),
)

const saveHiding = prepared(
  'save-hiding',
  (db, p: Placeholders<{ id: string; hides: boolean; signal: string }>) =>
    db
      .update(users)
      .set({ hidesPresence: sql`${p.hides}` })
      .where(eq(users.id, p.id))
      .returning({ hides: users.hidesPresence, sent: sql`pg_notify('keyturn', ${p.signal})` }),
)

export async function readPresence(db: Db, id: string): Promise<{ isShown: boolean }> {
  const [found] = await findHiding(db, { id })
  return { isShown: found?.hides === false }
}

/** Makes all processes forget the person's presence, so that nobody continues to see it. */
export async function showPresence(db: Db, id: string, isShown: boolean): Promise<{ isShown: boolean }> {
  const [saved] = await saveHiding(db, { id, hides: !isShown, signal: hidingSignal(id) })
  return { isShown: saved?.hides === false }
}
