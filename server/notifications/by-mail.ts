import type { Db } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import type { Told } from './tell.ts'

/**
 * Where the letters of an event are made, in its transaction: `line.mail` says which switch decides, `place` where the
 * button leads, and `event` with `facts` what is written. What has no letter here yet is written by the room in which
 * it happens.
 */
export async function byMail(_deps: Pick<Deps, 'config'>, _tx: Db, _told: readonly Told[]): Promise<void> {}
