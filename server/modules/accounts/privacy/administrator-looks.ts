import { findAdminEventsAbout, maxEventId } from '../administrator/admin-events.ts'
import type { LookSource } from './look-sources.ts'

/** Lists what administrators viewed and did that concerned this person (R-accounts-57). */
export const listLooksOfAdministrators: LookSource = async ({ db }, userId, { limit, before }) => {
  const beforeId = Number(before?.id ?? maxEventId)
  const events = await findAdminEventsAbout(db, { userId, limit, beforeId })
  return events.map(({ id, at, administrator, act }) => ({
    place: { at: at.toISOString(), id: String(id) },
    looks: [{ kind: 'administrator', who: administrator, car: '', at: at.toISOString(), act }],
  }))
}
