import { pathOfPlace } from '@keyturn/contract/notifications/place.ts'
import type { Db } from '../../../platform/database/open-database.ts'
import { addJobs } from '../../../platform/jobs/jobs.ts'
import { truncate } from '../../../platform/mail/sentence.ts'
import type { PendingNotification } from '../notify.ts'
import type { AddressedNotification, Recipient } from '../recipients.ts'
import { insertPushes } from './push-repository.ts'
import { pushJob } from './push-tasks.ts'

/** A push service accepts 4,096 bytes in all, and screens show fewer characters than this. */
const maxSentenceChars = 400

/** Queues the pushes of an event, which are sent after the commit (R-notifications-25). */
export async function notifyByPush(tx: Db, reached: readonly AddressedNotification[]): Promise<void> {
  const rows = reached.flatMap(({ notification, recipients }) =>
    recipients
      .filter((recipient) => wantsPush(recipient, notification))
      .map(({ id, zone }) => ({ ...rowOf(notification, zone), userId: id })),
  )
  if (rows.length === 0) return
  const inserted = await insertPushes(tx, { rows: JSON.stringify(rows) })
  await addJobs(
    tx,
    pushJob,
    inserted.map((payload) => ({ payload })),
  )
}

const wantsPush = ({ hasDevices, off }: Recipient, { line: { push, mail } }: PendingNotification): boolean =>
  push && hasDevices && !(mail !== null && off.push.includes(mail))

function rowOf(
  { id, event, audience, aboutId, dealId, tradeId, place, line, facts }: PendingNotification,
  zone: string,
) {
  const sentencesOf = line.sentences as (facts: unknown, zone: string) => { message: string }
  return {
    id,
    event,
    audience,
    aboutId,
    dealId,
    tradeId,
    body: truncate(sentencesOf(facts, zone).message, maxSentenceChars),
    path: pathOfPlace(place),
    tag: dealId ?? tradeId ?? id,
    rings: line.bell !== null,
    // A push about a deadline is worthless after the deadline.
    until: 'until' in facts ? facts.until : null,
  }
}
