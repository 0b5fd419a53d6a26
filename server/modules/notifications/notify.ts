import type { EventFacts, EventName } from '@keyturn/contract/notifications/event-facts.ts'
import {
  type Audience,
  type AudienceOf,
  type RecipientRule,
  recipientRules,
  type SubjectKind,
  type SubjectOf,
} from '@keyturn/contract/notifications/events.ts'
import type { Place } from '@keyturn/contract/notifications/place.ts'
import { canSeeType } from '@keyturn/contract/notifications/rules.ts'
import type { NotificationSentences } from '@keyturn/contract/notifications/texts.ts'
import type { Deps } from '../../deps.ts'
import { newId, newOwnedId } from '../../platform/database/new-id.ts'
import type { Db } from '../../platform/database/open-database.ts'
import { publishSignals } from './events/publish-signals.ts'
import { encodeChangeSignal, usersPerSignal } from './events/signal.ts'
import { placeOf } from './notification-place.ts'
import { notifyByEmail } from './notify-by-email.ts'
import { notifyByPush } from './push/notify-by-push.ts'
import { type AddressedNotification, defaultZone, findRecipients } from './recipients.ts'
import { scheduleReminders } from './reminders.ts'
import { saveNotifications } from './repository.ts'

type Car = { carId: string; sellerId: string; vin: string }
type Subjects = {
  car: Car
  deal: Car & { dealId: string; buyerId: string }
  /** `offeredBy`: the wholesaler who made the offer. */
  trade: { tradeId: string; ownerId: string; offeredBy: string | null }
  delivery: { passedDealId: string | null }
} & Record<SubjectKind, unknown>

/** Another buyer of the car. */
export type OtherBuyer = { id: string; dealId: string; audience: 'WAITING' | 'INTERESTED' }

export type NotifyInput<Event extends EventName> = {
  facts: EventFacts[Event]
  about: Subjects[SubjectOf<Event>]
} & ('WAITING' extends AudienceOf<Event> ? { others: readonly OtherBuyer[] } : unknown)

export type PendingNotification<Event extends EventName = EventName> = {
  [E in Event]: {
    /** Shared by the notification and the push. */
    id: string
    event: E
    facts: EventFacts[E]
    audience: Audience
    line: RecipientRule<EventFacts[E]>
    place: Place
    /** The car or trade of the event. */
    subjectId: string
    /** Null: all approved wholesalers, or the administrator. */
    recipientId: string | null
    /** The person named in the sentence, whose account may be deleted later. */
    aboutId: string | null
    dealId: string | null
    tradeId: string | null
  }
}[Event]

/**
 * Notifies everybody whom the contract's table names for the event, in the app, by email and by
 * push. Everything commits with the transaction or not at all (R-notifications-5).
 */
export const notify = <Event extends EventName>(
  deps: Pick<Deps, 'config'>,
  tx: Db,
  event: Event,
  input: NotifyInput<Event>,
): Promise<void> => notifyEach(deps, tx, event, [input])

/** Notifies about several occurrences of one event, in as many statements as for one. */
export async function notifyEach<Event extends EventName>(
  deps: Pick<Deps, 'config'>,
  tx: Db,
  event: Event,
  inputs: readonly NotifyInput<Event>[],
): Promise<void> {
  const notifications = inputs.flatMap((input) => buildNotifications(event, input))
  if (notifications.length === 0) return
  const reached = await findRecipients(deps, tx, notifications)
  await storeNotifications(tx, notifications, zonesOf(reached))
  await scheduleTurnReminders(tx, notifications)
  await notifyByEmail(deps, tx, reached)
  await notifyByPush(tx, reached)
}

function buildNotifications<Event extends EventName>(
  event: Event,
  input: NotifyInput<Event>,
): PendingNotification[] {
  const { facts, about } = input
  const others = 'others' in input ? (input.others as readonly OtherBuyer[]) : []
  const car = 'carId' in about ? carOf(about) : null
  return recipientRules(event).flatMap(({ audience, line }) =>
    recipientsOf(audience, about, others).map((recipient) => {
      const place = placeOf({ event, audience, car, ...recipient })
      if (!place) throw new Error(`${event} has no ${line.target} for ${audience}`)
      const aboutId = namedPersonId(line.names, about)
      return {
        id: recipient.recipientId === null ? newId() : newOwnedId(recipient.recipientId),
        event,
        facts,
        audience,
        line,
        place,
        subjectId: car?.carId ?? recipient.tradeId ?? '',
        aboutId,
        ...recipient,
      } as PendingNotification
    }),
  )
}

async function scheduleTurnReminders(tx: Db, notifications: readonly PendingNotification[]): Promise<void> {
  const turns = notifications.filter(({ line }) => line.turn)
  await scheduleReminders(tx, 'deal', new Set(turns.flatMap(({ dealId }) => dealId ?? [])))
  await scheduleReminders(tx, 'trade', new Set(turns.flatMap(({ tradeId }) => tradeId ?? [])))
}

const carOf = ({ carId, sellerId, vin }: Car): Car => ({ carId, sellerId, vin })

type RecipientIds = Pick<PendingNotification, 'recipientId' | 'dealId' | 'tradeId'>
type About = Subjects[SubjectKind]

function recipientsOf(audience: Audience, about: About, others: readonly OtherBuyer[]): RecipientIds[] {
  if ('passedDealId' in about) return [{ recipientId: null, dealId: about.passedDealId, tradeId: null }]
  if ('tradeId' in about) return recipientsOfTrade(audience, about)
  const of = (recipientId: string, dealId: string) => ({ recipientId, dealId, tradeId: null })
  if (audience === 'WAITING' || audience === 'INTERESTED')
    return others.filter((other) => other.audience === audience).map(({ id, dealId }) => of(id, dealId))
  if (!('dealId' in about)) return []
  return [of(audience === 'BUYER' ? about.buyerId : about.sellerId, about.dealId)]
}

function recipientsOfTrade(audience: Audience, about: Subjects['trade']): RecipientIds[] {
  const { tradeId, ownerId, offeredBy } = about
  const of = (recipientId: string | null) => ({ recipientId, dealId: null, tradeId })
  if (audience === 'OWNER') return [of(ownerId)]
  if (audience === 'OFFERER') return offeredBy === null ? [] : [of(offeredBy)]
  return [of(null)]
}

/** Returns the time zones of the recipients, by user id. */
const zonesOf = (reached: readonly AddressedNotification[]): ReadonlyMap<string | null, string> =>
  new Map(reached.flatMap(({ recipients }) => recipients.map(({ id, zone }) => [id, zone] as const)))

async function storeNotifications(
  tx: Db,
  notifications: readonly PendingNotification[],
  zones: ReadonlyMap<string | null, string>,
): Promise<void> {
  const published = new Set<string>()
  const rows = notifications.flatMap(({ line, facts, place: _place, subjectId, ...notice }) => {
    if (line.bell === null) return []
    const sentencesOf = line.sentences as (facts: unknown, zone: string) => NotificationSentences
    const { message, publicMessage } = sentencesOf(facts, zones.get(notice.recipientId) ?? defaultZone)
    const row = { ...notice, type: line.bell, message, publicMessage }
    if (publicMessage === '' || !canSeeType('wholesaler', line.bell)) return [row]
    // Wholesalers read of one event once, however many people it is addressed to (R-notifications-3).
    const isRepeated = published.has(subjectId)
    published.add(subjectId)
    return [isRepeated ? { ...row, publicMessage: '' } : row]
  })
  for (let i = 0; i < rows.length; i += usersPerSignal) {
    const some = rows.slice(i, i + usersPerSignal)
    const signal = encodeChangeSignal({
      users: some.flatMap(({ recipientId }) => recipientId ?? []),
      wholesalers: some.some(
        ({ type, publicMessage }) => publicMessage !== '' && canSeeType('wholesaler', type),
      ),
      rooms: ['notifications'],
    })
    await saveNotifications(tx, { rows: JSON.stringify(some) })
    await publishSignals(tx, [signal])
  }
}

function namedPersonId(names: PendingNotification['line']['names'], about: About): string | null {
  if (names === null || !('dealId' in about)) return null
  return names === 'SELLER' ? about.sellerId : about.buyerId
}
