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
import { seesType } from '@keyturn/contract/notifications/rules.ts'
import type { Deps } from '../../deps.ts'
import { newId } from '../../platform/database/new-id.ts'
import type { Db } from '../../platform/database/open.ts'
import { publish } from './events/publish-event.ts'
import { encodeChange, usersPerSignal } from './events/signal.ts'
import { notifyByEmail } from './notify-by-email.ts'
import { placeOf } from './places.ts'
import { notifyByPush } from './push/notify-by-push.ts'
import { readersOf } from './readers.ts'
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

type Waiting = { id: string; dealId: string }

export type NotifyInput<Event extends EventName> = {
  facts: EventFacts[Event]
  about: Subjects[SubjectOf<Event>]
} & ('WAITING' extends AudienceOf<Event> ? { waiting: readonly Waiting[] } : unknown)

export type PendingNotification<Event extends EventName = EventName> = {
  [E in Event]: {
    /** Shared by the notification and the push. */
    id: string
    event: E
    facts: EventFacts[E]
    audience: Audience
    line: RecipientRule<EventFacts[E]>
    place: Place
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
  telling: NotifyInput<Event>,
): Promise<void> => notifyEach(deps, tx, event, [telling])

/** Does the same for many events at once, in as many statements as for one. */
export async function notifyEach<Event extends EventName>(
  deps: Pick<Deps, 'config'>,
  tx: Db,
  event: Event,
  tellings: readonly NotifyInput<Event>[],
): Promise<void> {
  const told = tellings.flatMap((telling) => toldOf(event, telling))
  if (told.length === 0) return
  await ring(tx, told)
  await watch(tx, told)
  const reached = await readersOf(deps, tx, told)
  await notifyByEmail(deps, tx, reached)
  await notifyByPush(tx, reached)
}

function toldOf<Event extends EventName>(event: Event, telling: NotifyInput<Event>): PendingNotification[] {
  const { facts, about } = telling
  const waiting = 'waiting' in telling ? (telling.waiting as readonly Waiting[]) : []
  const car = 'carId' in about ? carOf(about) : null
  return recipientRules(event).flatMap(({ audience, line }) =>
    recipientsOf(audience, about, waiting).map((recipient) => {
      const place = placeOf({ event, audience, car, ...recipient })
      if (!place) throw new Error(`${event} has no ${line.target} for ${audience}`)
      const aboutId = namedBy(line.names, about)
      return {
        id: newId(),
        event,
        facts,
        audience,
        line,
        place,
        aboutId,
        ...recipient,
      } as PendingNotification
    }),
  )
}

async function watch(tx: Db, told: readonly PendingNotification[]): Promise<void> {
  const turns = told.filter(({ line }) => line.turn)
  await scheduleReminders(tx, 'deal', new Set(turns.flatMap(({ dealId }) => dealId ?? [])))
  await scheduleReminders(tx, 'trade', new Set(turns.flatMap(({ tradeId }) => tradeId ?? [])))
}

const carOf = ({ carId, sellerId, vin }: Car): Car => ({ carId, sellerId, vin })

type Recipient = Pick<PendingNotification, 'recipientId' | 'dealId' | 'tradeId'>
type About = Subjects[SubjectKind]

function recipientsOf(audience: Audience, about: About, waiting: readonly Waiting[]): Recipient[] {
  if ('passedDealId' in about) return [{ recipientId: null, dealId: about.passedDealId, tradeId: null }]
  if ('tradeId' in about) return recipientsOfTrade(audience, about)
  const of = (recipientId: string, dealId: string) => ({ recipientId, dealId, tradeId: null })
  if (audience === 'WAITING') return waiting.map(({ id, dealId }) => of(id, dealId))
  if (!('dealId' in about)) return []
  return [of(audience === 'BUYER' ? about.buyerId : about.sellerId, about.dealId)]
}

function recipientsOfTrade(audience: Audience, about: Subjects['trade']): Recipient[] {
  const { tradeId, ownerId, offeredBy } = about
  const of = (recipientId: string | null) => ({ recipientId, dealId: null, tradeId })
  if (audience === 'OWNER') return [of(ownerId)]
  if (audience === 'OFFERER') return offeredBy === null ? [] : [of(offeredBy)]
  return [of(null)]
}

async function ring(tx: Db, told: readonly PendingNotification[]): Promise<void> {
  const rows = told.flatMap(({ line, facts, place: _place, ...notice }) => {
    if (line.bell === null) return []
    const sentencesOf = line.sentences as (facts: unknown) => { message: string; publicMessage: string }
    return [{ ...notice, type: line.bell, ...sentencesOf(facts) }]
  })
  for (let i = 0; i < rows.length; i += usersPerSignal) {
    const some = rows.slice(i, i + usersPerSignal)
    const signal = encodeChange({
      users: some.flatMap(({ recipientId }) => recipientId ?? []),
      wholesalers: some.some(
        ({ type, publicMessage }) => publicMessage !== '' && seesType('wholesaler', type),
      ),
      rooms: ['notifications'],
    })
    await saveNotifications(tx, { rows: JSON.stringify(some) })
    await publish(tx, [signal])
  }
}

function namedBy(names: PendingNotification['line']['names'], about: About): string | null {
  if (names === null || !('dealId' in about)) return null
  return names === 'SELLER' ? about.sellerId : about.buyerId
}
