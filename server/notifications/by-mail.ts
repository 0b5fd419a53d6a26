import type { Db } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import { sendMail } from '../mail/mails.ts'
import { letterOf } from './letters.ts'
import type { Reached, Reader } from './readers.ts'
import type { Told } from './tell.ts'

/** Of somebody whose browser has never said by which clock it goes. The letter names the zone. */
const usualZone = 'America/New_York'

/**
 * The letters of an event, in its transaction: `line.mail` says which switch decides, `place` where the button leads, and
 * `event` with `facts` what is written (R-notifications-6).
 */
export async function byMail(deps: Pick<Deps, 'config'>, tx: Db, reached: readonly Reached[]): Promise<void> {
  for (const { told, readers } of reached) for (const reader of readers) await write(deps, tx, told, reader)
}

async function write(
  deps: Pick<Deps, 'config'>,
  tx: Db,
  told: Told,
  { id, email, off, zone }: Reader,
): Promise<void> {
  const kind = told.line.mail
  if (kind === null || email === null || off.mail.includes(kind)) return
  const letter = letterOf(deps.config, told, zone ?? usualZone)
  if (!letter) return
  const thread = told.dealId ?? told.tradeId
  await sendMail(deps, tx, { id, email }, letter, {
    thread,
    of: { event: told.event, audience: told.audience },
    ...(kind !== 'needed' && { kind }),
    ...(told.event === 'bothSigned' && { attachment: `agreement:${told.facts.packageId}` as const }),
  })
}
