import { createHash } from 'node:crypto'
import type { DealerEvent } from '@keyturn/contract/dealers/dealer-api.ts'
import { hourMs } from '@keyturn/contract/shared/dates.ts'
import { webhookHeaders } from '@keyturn/contract/shared/webhooks.ts'
import { Webhook } from 'standardwebhooks'
import type { Deps } from '../../../deps.ts'
import { type Attempt, postWebhook } from '../../../integrations/webhooks/webhook.ts'
import { transaction } from '../../../platform/database/open.ts'
import { isBusy, type Outcome, soonMs, type Task } from '../../../platform/jobs/jobs.ts'
import { inSpan, traceHeaders } from '../../../platform/telemetry/in-span.ts'
import { keepTrying } from '../../../shared/keep-trying.ts'
import { reasonOf } from '../../../shared/reason-of.ts'
import { type DealerTarget, isOurDesk, systemUrlOf, targetOf } from '../dealer-target.ts'
import * as store from './delivery-repository.ts'
import { tellParked, tellSides } from './notify-parked.ts'
import { bodyOf, financingWishOf, packageFor } from './package-payload.ts'

/** Added when a deal is passed on; does all that its dealer is still to be sent. */
export const deliverJob = 'deliver-deal'
export const jobKeyOf = (dealId: string) => `deliver ${dealId}`

/** One that hangs keeps its place for fifteen seconds: no dealer may have all of them. */
const places = 8
const placesOfDealer = 5

/** Sends a deal's events to its dealer, one after the other, each until it was taken (R-deals-74). */
export function deliverTask(deps: Deps): Task {
  const busy = new Map<string, number>()
  return {
    places,
    goesOut: true,
    run: async ({ dealId }, { attempts }) => {
      const id = String(dealId)
      const [first] = await store.findNext(deps.db, { dealId: id })
      if (!first) return undefined
      const dealerId = first.dealer.id
      const others = busy.get(dealerId) ?? 0
      if (others >= placesOfDealer) return { againInMs: soonMs(attempts) }
      busy.set(dealerId, others + 1)
      try {
        return await deliverAll(deps, id)
      } catch (error) {
        // Others are being drawn before it.
        if (!isBusy(error)) throw error
        return { againInMs: soonMs(attempts), because: reasonOf(error) }
      } finally {
        busy.set(dealerId, (busy.get(dealerId) ?? 1) - 1)
      }
    },
  }
}

async function deliverAll(deps: Deps, dealId: string): Promise<Outcome> {
  for (;;) {
    const [next] = await store.findNext(deps.db, { dealId })
    if (!next) return undefined
    if (next.waitMs > 0) return { againInMs: next.waitMs }
    // Our own desk is not there before this process listens, and that is no try.
    if (isOurDesk(deps, next.dealer) && systemUrlOf(deps, next.dealer) === null)
      return { againInMs: soonMs(1) }
    const { isTaken, pauseMs, because } = await deliver(deps, next, dealId)
    if (isTaken) continue
    if (pauseMs === null) return undefined
    return { againInMs: pauseMs, because }
  }
}

async function deliver(deps: Deps, next: store.NextDelivery, dealId: string) {
  const { attempt, digest } = await send(deps, targetOf(deps.config, next.dealer), next).catch((error) => {
    // What cannot be made now (the agreement is still being drawn) is no fault of the dealer's: it comes back without a try.
    if (next.leftMs > 0) throw error
    return notSent(reasonOf(error).slice(0, 200))
  })
  const isTaken = attempt.because === null
  // The last try is made when the time is over, not before.
  const pauseMs = isTaken || next.leftMs === 0 ? null : Math.min(pauseBefore(next.tries + 1), next.leftMs)
  const state = isTaken ? 'DELIVERED' : pauseMs === null ? 'PARKED' : 'WAITING'
  const tried = { id: next.id, ...attempt, digest, state, pauseMs: pauseMs ?? 0 } as const
  await keepTrying(() =>
    transaction(deps.db, async (tx) => {
      await store.insertDeliveryAttempt(tx, tried)
      if (state !== 'WAITING') await tellSides(tx, next)
      if (state !== 'PARKED') return
      await store.parkRest(tx, { dealId })
      await tellParked(deps, tx, { ...next, dealId })
    }),
  )
  if (!isTaken)
    deps.log.warn(
      { delivery: next.id, deal: dealId, tries: next.tries + 1, because: attempt.because },
      'dealer has not taken it',
    )
  return { isTaken, pauseMs, because: attempt.because ?? '' }
}

type Sendable = Pick<store.NextDelivery, 'id' | 'kind' | 'createdAt' | 'now' | 'dealer'> & {
  packageId: string | null
}

/** Sends one once, and says what came of it. What is sent is made of what was frozen, so it is the same each time. */
export async function send(
  deps: Deps,
  target: DealerTarget,
  delivery: Sendable,
): Promise<{ attempt: Attempt; digest: Buffer | null }> {
  const url = systemUrlOf(deps, delivery.dealer)
  if (url === null) return notSent('no address')
  if (target.keys.length === 0) return notSent('no key')
  const body = bodyOf(await eventOf(deps, target, delivery))
  const signed = headersOf(target.keys, messageIdOf(delivery.id), delivery.now, body)
  const attempt = await inSpan(
    { name: 'delivery', kind: 'client', about: { 'keyturn.delivery': delivery.id } },
    () =>
      postWebhook(
        url,
        { headers: { ...signed, ...traceHeaders() }, body },
        // The only private address that needs no setting is our own (R-deals-77).
        { allowPrivate: deps.config.privateWebhooks || isOurDesk(deps, delivery.dealer) },
      ),
  )
  return { attempt, digest: createHash('sha256').update(body).digest() }
}

const notSent = (because: string) => ({ attempt: { status: null, because, ms: 0 }, digest: null })

/** As the examples of standardwebhooks.com look; the same for ever. */
const messageIdOf = (deliveryId: string) => `msg_${deliveryId}`

/** With a signature of each key, so that the receiver may take over the new one whenever it likes. */
const headersOf = (keys: readonly string[], id: string, at: Date, body: string): Record<string, string> => ({
  'content-type': 'application/json',
  'user-agent': 'Keyturn',
  [webhookHeaders.id]: id,
  [webhookHeaders.timestamp]: String(Math.floor(at.getTime() / 1000)),
  [webhookHeaders.signature]: keys.map((key) => new Webhook(key).sign(id, at, body)).join(' '),
})

async function eventOf(deps: Deps, target: DealerTarget, delivery: Sendable): Promise<DealerEvent> {
  const timestamp = delivery.createdAt.toISOString()
  const packageId = delivery.packageId ?? ''
  switch (delivery.kind) {
    case 'deal.passed':
      return { type: 'deal.passed', timestamp, data: await packageFor(deps, packageId) }
    case 'deal.financing':
      return { type: 'deal.financing', timestamp, data: await financingWishOf(deps, packageId) }
    case 'test':
      return { type: 'test', timestamp, data: { dealer: target.name } }
  }
}

const secondMs = 1000
/** After so many tries that failed; the last of them from then on, until three days are over. */
const pauses = [5, 30, 120, 600, 1800, 3600, 7200].map((seconds) => seconds * secondMs)
const longestMs = 4 * hourMs

/** A fifth more or less, so that what failed together does not come back together. */
const pauseBefore = (tries: number): number =>
  Math.round((pauses[tries - 1] ?? longestMs) * (0.8 + Math.random() * 0.4))
