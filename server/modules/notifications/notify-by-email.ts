import type { Deps } from '../../deps.ts'
import type { Db } from '../../platform/database/open-database.ts'
import { type EmailRequest, enqueueEmails } from '../../platform/mail/email-queue.ts'
import { emailFor } from './emails.ts'
import type { PendingNotification } from './notify.ts'
import type { AddressedNotification, Recipient } from './recipients.ts'

/**
 * Queues the emails of an event in its transaction. `line.mail` names the preference that decides,
 * `place` the target of the button, and `event` with `facts` the text (R-notifications-6).
 */
export const notifyByEmail = (
  deps: Pick<Deps, 'config'>,
  tx: Db,
  reached: readonly AddressedNotification[],
): Promise<void> =>
  enqueueEmails(
    deps,
    tx,
    reached.flatMap(({ notification, recipients }) =>
      recipients.flatMap((recipient) => buildMail(deps, notification, recipient) ?? []),
    ),
  )

function buildMail(
  deps: Pick<Deps, 'config'>,
  notification: PendingNotification,
  { id, email, off, zone }: Recipient,
): EmailRequest | null {
  const kind = notification.line.mail
  if (kind === null || email === null || off.mail.includes(kind)) return null
  const content = emailFor(deps.config, notification, zone)
  if (!content) return null
  const options = {
    thread: notification.dealId ?? notification.tradeId,
    of: { event: notification.event, audience: notification.audience },
    ...(kind !== 'needed' && { kind }),
    ...(notification.event === 'bothSigned' && {
      attachment: `agreement:${notification.facts.packageId}` as const,
    }),
  }
  return { to: { id, email }, content, options }
}
