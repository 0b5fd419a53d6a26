import type { Db } from '../../platform/database/open-database.ts'
import { deletePreferences } from './preferences.ts'
import { deleteDevices } from './push/devices.ts'
import { eraseNames } from './repository.ts'

/**
 * Handles a deleted account: removes the name from notifications about the person, and replaces the
 * text of notifications to the person with the public sentence.
 */
export async function eraseFromNotifications(tx: Db, personId: string): Promise<void> {
  await deletePreferences(tx, { userId: personId })
  await deleteDevices(tx, personId)
  await eraseNames(tx, { personId })
}
