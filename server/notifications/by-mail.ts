import type { Config } from '../config.ts'
import type { Db } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import { sendMail } from '../mail/mails.ts'
import { letterOf } from './letters.ts'
import { findMailReaders, findWholesalersToMail, type MailReader } from './mail-readers.ts'
import type { Told } from './tell.ts'

/** More wholesalers than this are a marketplace of its own, and look at the dashboard. */
const mostWholesalers = 100

/** Of somebody whose browser has never said by which clock it goes. The letter names the zone. */
const usualZone = 'America/New_York'

/**
 * The letters of an event, in its transaction: `line.mail` says which switch decides, `place` where the button leads, and
 * `event` with `facts` what is written (R-notifications-6). Deleted accounts have no address any more.
 */
export async function byMail(deps: Pick<Deps, 'config'>, tx: Db, told: readonly Told[]): Promise<void> {
  const mailed = told.filter(({ line }) => line.mail !== null)
  if (mailed.length === 0) return
  const ids = mailed.flatMap(({ recipientId }) => recipientId ?? [])
  const found = ids.length === 0 ? [] : await findMailReaders(tx, { ids })
  const readers = new Map(found.map((reader) => [reader.id, reader]))
  for (const one of mailed) for (const reader of await readersOf(one)) await write(deps, tx, one, reader)

  async function readersOf({ recipientId, audience }: Told): Promise<MailReader[]> {
    if (recipientId !== null) return [readers.get(recipientId) ?? []].flat()
    if (audience === 'WHOLESALERS') return findWholesalersToMail(tx, { limit: mostWholesalers })
    return administratorsOf(deps.config)
  }
}

const administratorsOf = ({ adminEmail }: Config): MailReader[] =>
  adminEmail === null ? [] : [{ id: null, email: adminEmail, off: [], zone: null }]

async function write(
  deps: Pick<Deps, 'config'>,
  tx: Db,
  told: Told,
  { id, email, off, zone }: MailReader,
): Promise<void> {
  const kind = told.line.mail
  if (kind === null || email === null || off.includes(kind)) return
  const letter = letterOf(deps.config, told, zone ?? usualZone)
  if (!letter) return
  const thread = told.dealId ?? told.tradeId
  await sendMail(deps, tx, { id, email }, letter, {
    thread,
    notice: told.noticeId,
    ...(kind !== 'needed' && { kind }),
    ...(told.event === 'bothSigned' && { attachment: `agreement:${told.facts.packageId}` as const }),
  })
}
