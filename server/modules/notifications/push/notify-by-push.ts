import { pageOf } from '@keyturn/contract/notifications/place.ts'
import type { Db } from '../../../platform/database/open.ts'
import { addJobs } from '../../../platform/jobs/jobs.ts'
import { cut } from '../../../platform/mail/sentence.ts'
import type { PendingNotification } from '../notify.ts'
import type { Reached, Reader } from '../readers.ts'
import { pushJob } from './push-jobs.ts'
import { insertPushes } from './push-repository.ts'

/** A push service accepts 4,096 bytes in all, and screens show fewer characters than this. */
const longestSentence = 400

/**
 * Queues the pushes of an event in its transaction; they are sent after the commit
 * (R-notifications-25).
 */
export async function notifyByPush(tx: Db, reached: readonly Reached[]): Promise<void> {
  const rows = reached.flatMap(({ told, readers }) =>
    readers.filter((reader) => wants(reader, told)).map(({ id }) => ({ ...rowOf(told), userId: id })),
  )
  if (rows.length === 0) return
  const made = await insertPushes(tx, { rows: JSON.stringify(rows) })
  await addJobs(
    tx,
    pushJob,
    made.map((payload) => ({ payload })),
  )
}

const wants = ({ hasDevices, off }: Reader, { line: { push, mail } }: PendingNotification): boolean =>
  push && hasDevices && !(mail !== null && off.push.includes(mail))

function rowOf({ id, event, audience, aboutId, dealId, tradeId, place, line, facts }: PendingNotification) {
  const sentencesOf = line.sentences as (facts: unknown) => { message: string }
  return {
    id,
    event,
    audience,
    aboutId,
    dealId,
    tradeId,
    body: cut(sentencesOf(facts).message, longestSentence),
    path: pageOf(place),
    tag: dealId ?? tradeId ?? id,
    rings: line.bell !== null,
    // A push about a deadline is worthless after it.
    until: 'until' in facts ? facts.until : null,
  }
}
