import type { Deps } from '../../deps.ts'
import type { Db } from '../../platform/database/open.ts'
import { type Outgoing, sendMails } from '../../platform/mail/mails.ts'
import { emailFor } from './emails.ts'
import type { PendingNotification } from './notify.ts'
import type { Reached, Reader } from './readers.ts'

/** For users whose browser never reported a time zone. The email names the zone. */
const usualZone = 'America/New_York'

/**
 * Queues the emails of an event in its transaction. `line.mail` names the preference that decides,
 * `place` the target of the button, and `event` with `facts` the text (R-notifications-6).
 */
export const notifyByEmail = (
  deps: Pick<Deps, 'config'>,
  tx: Db,
  reached: readonly Reached[],
): Promise<void> =>
  sendMails(
    deps,
    tx,
    reached.flatMap(({ told, readers }) => readers.flatMap((reader) => mailTo(deps, told, reader) ?? [])),
  )

function mailTo(
  deps: Pick<Deps, 'config'>,
  told: PendingNotification,
  { id, email, off, zone }: Reader,
): Outgoing | null {
  const kind = told.line.mail
  if (kind === null || email === null || off.mail.includes(kind)) return null
  const written = emailFor(deps.config, told, zone ?? usualZone)
  if (!written) return null
  const wishes = {
    thread: told.dealId ?? told.tradeId,
    of: { event: told.event, audience: told.audience },
    ...(kind !== 'needed' && { kind }),
    ...(told.event === 'bothSigned' && { attachment: `agreement:${told.facts.packageId}` as const }),
  }
  return { to: { id, email }, written, wishes }
}
