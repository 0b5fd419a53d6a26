import { createHash } from 'node:crypto'
import type { DealerEvent } from '@keyturn/contract/dealers/dealer-api.ts'
import { hourMs } from '@keyturn/contract/shared/dates.ts'
import { webhookHeaders } from '@keyturn/contract/shared/webhooks.ts'
import { Webhook } from 'standardwebhooks'
import type { Deps } from '../../../deps.ts'
import { type Attempt, postWebhook } from '../../../integrations/webhooks/webhook.ts'
import { transaction } from '../../../platform/database/open-database.ts'
import { busyRetryMs, isBusy, type Outcome, type Task } from '../../../platform/jobs/jobs.ts'
import { inSpan, traceHeaders } from '../../../platform/telemetry/in-span.ts'
import { reasonOf } from '../../../shared/reason-of.ts'
import { retryWrite } from '../../../shared/retry-write.ts'
import { type DealerTarget, isOurDesk, systemUrlOf, targetOf } from '../dealer-target.ts'
import * as store from './delivery-repository.ts'
import { tellParked, tellSides } from './notify-parked.ts'
import { bodyOf, financingWishOf, packageFor } from './package-payload.ts'

/** Enqueued when a deal is passed to its dealer; sends everything that is pending. */
export const deliverJob = 'deliver-deal'
export const jobKeyOf = (dealId: string) => `deliver ${dealId}`

/** A hanging request occupies a slot for 15 seconds, so no dealer may use all of them. */
const places = 8
const placesOfDealer = 5

/** Sends a deal's events to its dealer in order, each until it is accepted (R-deals-74). */
export function deliverTask(deps: Deps): Task {
  const busy = new Map<string, number>()
  return {
    places,
    isOutbound: true,
    run: async ({ dealId }, { attempts }) => {
      const id = String(dealId)
      const [first] = await store.findNext(deps.db, { dealId: id })
      if (!first) return undefined
      const dealerId = first.dealer.id
      const others = busy.get(dealerId) ?? 0
      if (others >= placesOfDealer) return { againInMs: busyRetryMs(attempts) }
      busy.set(dealerId, others + 1)
      try {
        return await deliverAll(deps, id)
      } catch (error) {
        // Other agreements are rendered first.
        if (!isBusy(error)) throw error
        return { againInMs: busyRetryMs(attempts), because: reasonOf(error) }
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
    // The built-in desk is unavailable until this process listens; that is not an attempt.
    if (isOurDesk(deps, next.dealer) && systemUrlOf(deps, next.dealer) === null)
      return { againInMs: busyRetryMs(1) }
    const { isTaken, pauseMs, because } = await deliver(deps, next, dealId)
    if (isTaken) continue
    if (pauseMs === null) return undefined
    return { againInMs: pauseMs, because }
  }
}

async function deliver(deps: Deps, next: store.NextDelivery, dealId: string) {
  const { attempt, digest } = await send(deps, targetOf(deps.config, next.dealer), next).catch((error) => {
    // A payload that cannot be built yet is not the dealer's failure, so it is retried without
    // counting an attempt.
    if (next.leftMs > 0) throw error
    return notSent(reasonOf(error).slice(0, 200))
  })
  const isTaken = attempt.because === null
  // The last attempt is made when the time is over, not before.
  const pauseMs = isTaken || next.leftMs === 0 ? null : Math.min(pauseBefore(next.tries + 1), next.leftMs)
  const state = isTaken ? 'DELIVERED' : pauseMs === null ? 'PARKED' : 'WAITING'
  const tried = { id: next.id, ...attempt, digest, state, pauseMs: pauseMs ?? 0 } as const
  await retryWrite(() =>
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

/**
 * Sends a delivery once and returns the outcome. The payload comes from frozen data, so each
 * attempt sends the same.
 */
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
        // The built-in desk is the only private address allowed without a setting (R-deals-77).
        { allowPrivate: deps.config.privateWebhooks || isOurDesk(deps, delivery.dealer) },
      ),
  )
  return { attempt, digest: createHash('sha256').update(body).digest() }
}

const notSent = (because: string) => ({ attempt: { status: null, because, ms: 0 }, digest: null })

/** Has the form of the examples at standardwebhooks.com and never changes for a delivery. */
const messageIdOf = (deliveryId: string) => `msg_${deliveryId}`

/**
 * Includes a signature for each key, so that the receiver can switch to the new key at any time.
 */
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
/** Delays after that many failed attempts; the last one repeats until three days are over. */
const pauses = [5, 30, 120, 600, 1800, 3600, 7200].map((seconds) => seconds * secondMs)
const longestMs = 4 * hourMs

/** Adds 20% jitter, so that deliveries that failed together are not retried together. */
const pauseBefore = (tries: number): number =>
  Math.round((pauses[tries - 1] ?? longestMs) * (0.8 + Math.random() * 0.4))
