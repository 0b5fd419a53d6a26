import type { Db } from '../../../platform/database/open-database.ts'
import { voidAllAdministratorCodes } from '../administrator/administrator-repository.ts'
import { voidAllCodes } from '../people/email-code-repository.ts'
import { revokeAllTokens } from '../tokens/token-repository.ts'
import { sessionStores } from './sessions.ts'

/**
 * Ends all sessions, codes and tokens: after a restore, ended and used ones may be valid again.
 */
export async function signOutEverybody(tx: Db, because: string): Promise<void> {
  for (const store of Object.values(sessionStores)) await store.endAllSessions(tx, because)
  await voidAllCodes(tx)
  await voidAllAdministratorCodes(tx)
  await revokeAllTokens(tx)
}
