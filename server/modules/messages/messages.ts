import { Readable } from 'node:stream'
import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { dealErrors } from '@keyturn/contract/deals/texts.ts'
import type { Message, Report, readMessages as readCall } from '@keyturn/contract/messages/endpoints.ts'
import { messagesTexts } from '@keyturn/contract/messages/texts.ts'
import type { EndpointInput, EndpointOutput } from '@keyturn/contract/shared/endpoint.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { sanitizeMessage } from '@keyturn/contract/shared/visible-text.ts'
import type { Deps } from '../../deps.ts'
import { newOwnedId } from '../../platform/database/new-id.ts'
import { type Db, databaseError, transaction } from '../../platform/database/open-database.ts'
import { type Cursor, cutPage, decodeCursor, type Page } from '../../platform/database/pagination.ts'
import type { Administrator, ScopedActor } from '../../platform/http/authorization.ts'
import { recordAdminEvent } from '../accounts/administrator/admin-events.ts'
import { lockExistingPerson } from '../accounts/people/lock-person.ts'
import { isSuspended } from '../accounts/people/suspension.ts'
import { publishChange } from '../notifications/events/publish-change.ts'
import { notify } from '../notifications/notify.ts'
import * as store from './message-repository.ts'

// Messages between the two parties of a deal. Nobody else has access, and messages are not signed.

type Asking = EndpointInput<typeof readCall>

export async function readMessages(
  deps: Deps,
  actor: ScopedActor,
  { params: { dealId }, query: { cursor, limit } }: Pick<Asking, 'params' | 'query'>,
): Promise<EndpointOutput<typeof readCall>> {
  const party = { dealId, personId: actor.id }
  const [[deal], rows] = await Promise.all([
    store.findDealOfParty(deps.db, party),
    store.findMessages(deps.db, { ...party, before: cursor ?? null, limit: limit + 1 }),
  ])
  if (!deal) throw apiErrors.NotFound()
  const shown = rows.slice(0, limit)
  return {
    messages: shown.map((row) => messageOf(row, actor.id)).reverse(),
    next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
    isOpen: deal.isOpen && !deal.isPaused,
    isPaused: deal.isOpen && deal.isPaused,
  }
}

/** Locks the deal's row, so that no message is added to a deal that is ending. */
export async function sendMessage(
  deps: Deps,
  actor: ScopedActor,
  dealId: string,
  text: string,
): Promise<Message> {
  return transaction(deps, async (tx) => {
    await lockExistingPerson(tx, actor.id)
    const [deal] = await store.lockDealOfParty(tx, { dealId, personId: actor.id })
    if (!deal) throw apiErrors.NotFound()
    if (!deal.isOpen) throw dealErrors.MessagesClosed()
    // Asked again, because facts read with the lock may be older than the wait for it.
    if ((await isSuspended(tx, deal.sellerId)) || (await isSuspended(tx, deal.buyerId)))
      throw dealErrors.DealPaused()
    const id = newOwnedId(dealId)
    const [row] = await store.insertMessage(tx, { id, dealId, senderId: actor.id, text }).catch(asPaused)
    if (!row) throw new Error('The message was not inserted')
    await notifyMessage(deps, tx, deal, actor.id, text)
    await publishChange(tx, [deal.sellerId, deal.buyerId], 'deals')
    const sender = actor.id === deal.sellerId ? deal.seller : deal.buyer
    return messageOf(
      { id, ...row, senderId: actor.id, sender, text, isReported: false, isNew: false },
      actor.id,
    )
  })
}

/** A suspension that commits after the check above reaches the guard of the database. */
function asPaused(error: unknown): never {
  throw databaseError(error)?.constraint === 'deals_on_hold_wait' ? dealErrors.DealPaused() : error
}

function notifyMessage(deps: Deps, tx: Db, deal: store.DealOfParty, by: string, text: string): Promise<void> {
  const { dealId, sellerId, buyerId } = deal
  const about = { dealId, sellerId, buyerId, carId: deal.car.id, vin: deal.car.vin }
  const car = carNameOf(deal)
  if (by === buyerId)
    return notify(deps, tx, 'buyerWrote', { about, facts: { car, buyer: fullName(deal.buyer), text } })
  return notify(deps, tx, 'sellerWrote', { about, facts: { car, seller: fullName(deal.seller), text } })
}

const carNameOf = ({ car: { model, ...car } }: Pick<store.ReportRow, 'car'>): string =>
  carName({ ...car, carModel: model })

/**
 * Marks messages as seen, up to and including the given one, and refreshes the person's other tabs.
 */
export async function markMessagesSeen(
  deps: Deps,
  actor: ScopedActor,
  dealId: string,
  messageId: string,
): Promise<void> {
  await transaction(deps, async (tx) => {
    await lockExistingPerson(tx, actor.id)
    const [message] = await store.findMessageOf(tx, { messageId, dealId, personId: actor.id })
    if (!message) throw apiErrors.NotFound()
    const advanced = await store.saveReadPosition(tx, { dealId, personId: actor.id, upTo: message.number })
    if (advanced.length > 0) await publishChange(tx, [actor.id], 'deals', 'notifications')
  })
}

/** Streams the conversation page by page, so that neither all of it nor a connection is held. */
export async function exportMessages(
  deps: Deps,
  actor: ScopedActor,
  dealId: string,
): Promise<{ name: string; text: Readable }> {
  const party = { dealId, personId: actor.id }
  const [deal] = await store.findDealOfParty(deps.db, party)
  if (!deal) throw apiErrors.NotFound()
  return { name: file.name(deal.car.vin), text: Readable.from(readParts(deps.db, party, deal)) }
}

const messagesPerQuery = 200

async function* readParts(
  db: Db,
  party: { dealId: string; personId: string },
  deal: store.DealOfParty,
): AsyncGenerator<string> {
  const between = file.between(fullName(deal.seller), fullName(deal.buyer))
  yield `${file.title(carNameOf(deal), deal.car.vin)}\n${between}\n${messagesTexts.notSigned}\n`
  let after = 0
  for (;;) {
    const rows = await store.findMessagesAfter(db, { ...party, after, limit: messagesPerQuery })
    yield rows
      .map(
        ({ at, sender, text }) => `\n${at.toISOString()} ${fullName(sender)}\n${quote(text ?? forgotten)}\n`,
      )
      .join('')
    if (after === 0 && rows.length === 0) yield `\n${file.none}\n`
    if (rows.length < messagesPerQuery) return
    after = rows.at(-1)?.number ?? after
  }
}

/**
 * Prefixes every line of a message, so that a line break in it cannot imitate another message's
 * heading (R-deals-92).
 */
const quote = (text: string): string =>
  sanitizeMessage(text)
    .split(/\r\n|[\r\n]/)
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')

const { file, forgotten } = messagesTexts

/** Reports a message of the other party; nobody can report their own. */
export async function reportMessage(
  deps: Deps,
  actor: ScopedActor,
  params: { dealId: string; messageId: string },
  reason: string,
): Promise<{ ok: true }> {
  return transaction(deps, async (tx) => {
    await lockExistingPerson(tx, actor.id)
    const [message] = await store.findMessageOf(tx, { ...params, personId: actor.id })
    if (!message || message.senderId === actor.id) throw apiErrors.NotFound()
    await store.insertReport(tx, { messageId: params.messageId, reporterId: actor.id, reason })
    await publishChange(tx, [actor.id], 'deals')
    return { ok: true }
  })
}

export async function listReports(
  deps: Deps,
  page: Page,
): Promise<{ reports: Report[]; next: Cursor | null }> {
  const after = decodeCursor(page.cursor)
  const rows = await store.findReports(deps.db, {
    limit: page.limit + 1,
    afterAt: after?.at ?? null,
    afterId: after?.id ?? null,
  })
  const { shown, next } = cutPage(rows, page.limit, ({ at, id }) => ({ at, id }))
  return { reports: shown.map(reportOf), next }
}

export function handleReport(deps: Deps, administrator: Administrator, messageId: string): Promise<void> {
  return transaction(deps.db, async (tx) => {
    const [saved] = await store.markReportHandled(tx, { messageId })
    if (!saved) throw apiErrors.NotFound()
    await recordAdminEvent(tx, administrator, {
      act: 'handledReport',
      personId: saved.reporterId,
      subject: messageId,
      after: { isHandled: true },
    })
  })
}

/**
 * Handles the deletion of an account. The texts stay for the other party and are deleted with the
 * last of the two (R-deals-87).
 */
export async function eraseMessagesOfPerson(tx: Db, personId: string): Promise<void> {
  await store.lockDealsWithMessages(tx, { personId })
  await store.eraseMessageTexts(tx, { personId })
  await store.eraseReportReasons(tx, { personId })
}

function messageOf(
  { id, at, senderId, sender, text, isReported, isNew }: store.MessageRow,
  callerId: string,
): Message {
  return {
    _id: id,
    at: at.toISOString(),
    isMine: senderId === callerId,
    name: fullName(sender),
    text: text ?? '',
    isReported,
    isNew,
  }
}

const reportOf = (row: store.ReportRow): Report => ({
  _id: row.id,
  at: row.reportedAt.toISOString(),
  car: carNameOf(row),
  sender: fullName(row.sender),
  senderId: row.senderId,
  senderEmail: row.sender.email ?? '',
  reporter: fullName(row.reporter),
  text: row.text ?? '',
  reason: row.reason ?? '',
  sentAt: row.sentAt.toISOString(),
  handledAt: row.handledAt?.toISOString() ?? null,
})
