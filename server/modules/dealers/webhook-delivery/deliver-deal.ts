import { createHash } from 'node:crypto'
import type { DealerEvent } from '@keyturn/contract/dealers/dealer-api.ts'
import { hourMs } from '@keyturn/contract/shared/dates.ts'
import type { Deps } from '../../../deps.ts'
import { type Attempt, postWebhook } from '../../../integrations/webhooks/post-webhook.ts'
import { transaction } from '../../../platform/database/open-database.ts'
import { busyRetryMs, isDatabaseBusy, type JobOutcome, type Task } from '../../../platform/jobs/jobs.ts'
import { traceHeaders, withSpan } from '../../../platform/telemetry/with-span.ts'
import { describeError } from '../../../shared/describe-error.ts'
import { retryWrite } from '../../../shared/retry-write.ts'
import {
  type DealerConnection,
  deliveryUrl,
  isBuiltInDesk,
  toDealerConnection,
} from '../dealer-connection.ts'
import * as store from './delivery-repository.ts'
import { notifyParked, publishDelivery } from './notify-parked.ts'
import { buildPackage, encodeEvent, readFinancingWish } from './package-payload.ts'
import { signWebhook, webhookMessageId } from './sign-webhook.ts'

/** Enqueued when a deal is passed to its dealer; sends everything that is pending. */
export const deliverJob = 'deliver-deal'
export const deliveryJobKey = (dealId: string) => `deliverOnce ${dealId}`

/** A hanging request occupies a slot for 15 seconds, so no dealer may use all of them. */
const places = 8
const placesPerDealer = 5

/** Sends a deal's events to its dealer in order, each until it is accepted (R-deals-74). */
export function deliverTask(deps: Deps): Task {
  const busy = new Map<string, number>()
  return {
    places,
    isOutbound: true,
    run: async ({ dealId }, { attempts }) => {
      const id = String(dealId)
      const [first] = await store.findNextDelivery(deps.db, { dealId: id })
      if (!first) return undefined
      const dealerId = first.dealer.id
      const others = busy.get(dealerId) ?? 0
      if (others >= placesPerDealer) return { againInMs: busyRetryMs(attempts) }
      busy.set(dealerId, others + 1)
      try {
        return await deliverAll(deps, id)
      } catch (error) {
        // While other agreements are rendered first, the delivery is retried soon.
        if (!isDatabaseBusy(error)) throw error
        return { againInMs: busyRetryMs(attempts), because: describeError(error) }
      } finally {
        busy.set(dealerId, (busy.get(dealerId) ?? 1) - 1)
      }
    },
  }
}

async function deliverAll(deps: Deps, dealId: string): Promise<JobOutcome> {
  for (;;) {
    const [next] = await store.findNextDelivery(deps.db, { dealId })
    if (!next) return undefined
    if (next.waitMs > 0) return { againInMs: next.waitMs }
    // The built-in desk is unavailable until this process listens; that is not an attempt.
    if (isBuiltInDesk(deps, next.dealer) && deliveryUrl(deps, next.dealer) === null)
      return { againInMs: busyRetryMs(1) }
    const { isAccepted, pauseMs, because } = await deliverOnce(deps, next, dealId)
    if (isAccepted) continue
    if (pauseMs === null) return undefined
    return { againInMs: pauseMs, because }
  }
}

async function deliverOnce(deps: Deps, next: store.NextDelivery, dealId: string) {
  const { attempt, digest } = await sendDelivery(
    deps,
    toDealerConnection(deps.config, next.dealer),
    next,
  ).catch((error) => {
    // A payload that cannot be built yet is not the dealer's failure, so it is retried without
    // counting an attempt.
    if (next.leftMs > 0) throw error
    return unsentAttempt(describeError(error).slice(0, 200))
  })
  const isAccepted = attempt.because === null
  // The last attempt is made when the time is over, not before.
  const pauseMs = isAccepted || next.leftMs === 0 ? null : Math.min(pauseBefore(next.tries + 1), next.leftMs)
  const state = isAccepted ? 'DELIVERED' : pauseMs === null ? 'PARKED' : 'WAITING'
  const tried = { id: next.id, ...attempt, digest, state, pauseMs: pauseMs ?? 0 } as const
  await retryWrite(() =>
    transaction(deps.db, async (tx) => {
      await store.insertDeliveryAttempt(tx, tried)
      if (state !== 'WAITING') await publishDelivery(tx, next)
      if (state !== 'PARKED') return
      await store.parkLaterDeliveries(tx, { dealId })
      await notifyParked(deps, tx, { ...next, dealId })
    }),
  )
  if (!isAccepted)
    deps.log.warn(
      { delivery: next.id, deal: dealId, tries: next.tries + 1, because: attempt.because },
      'dealer did not accept the delivery',
    )
  return { isAccepted, pauseMs, because: attempt.because ?? '' }
}

type Sendable = Pick<store.NextDelivery, 'id' | 'kind' | 'createdAt' | 'now' | 'dealer'> & {
  packageId: string | null
}

/**
 * Sends a delivery once and returns the outcome. The payload comes from frozen data, so each
 * attempt sends the same bytes.
 */
export async function sendDelivery(
  deps: Deps,
  target: DealerConnection,
  delivery: Sendable,
): Promise<{ attempt: Attempt; digest: Buffer | null }> {
  const url = deliveryUrl(deps, delivery.dealer)
  if (url === null) return unsentAttempt('no address')
  if (target.keys.length === 0) return unsentAttempt('no key')
  const body = encodeEvent(await readDealerEvent(deps, target, delivery))
  const signed = signWebhook(target.keys, webhookMessageId(delivery.id), delivery.now, body)
  const attempt = await withSpan(
    { name: 'delivery', kind: 'client', about: { 'keyturn.delivery': delivery.id } },
    () =>
      postWebhook(
        url,
        { headers: { ...signed, ...traceHeaders() }, body },
        // The built-in desk is the only private address allowed without a setting (R-deals-77).
        { allowPrivate: deps.config.privateWebhooks || isBuiltInDesk(deps, delivery.dealer) },
      ),
  )
  return { attempt, digest: createHash('sha256').update(body).digest() }
}

const unsentAttempt = (because: string) => ({ attempt: { status: null, because, ms: 0 }, digest: null })

async function readDealerEvent(
  deps: Deps,
  target: DealerConnection,
  delivery: Sendable,
): Promise<DealerEvent> {
  const timestamp = delivery.createdAt.toISOString()
  const packageId = delivery.packageId ?? ''
  switch (delivery.kind) {
    case 'deal.passed':
      return { type: 'deal.passed', timestamp, data: await buildPackage(deps, packageId) }
    case 'deal.financing':
      return { type: 'deal.financing', timestamp, data: await readFinancingWish(deps, packageId) }
    case 'test':
      return { type: 'test', timestamp, data: { dealer: target.name } }
  }
}

const secondMs = 1000
/**
 * Delays after each failed attempt; after the last of them, `maxPauseMs` until three days are over.
 */
const pauses = [5, 30, 120, 600, 1800, 3600, 7200].map((seconds) => seconds * secondMs)
const maxPauseMs = 4 * hourMs

/** Adds 20% jitter, so that deliveries that failed together are not retried together. */
const pauseBefore = (tries: number): number =>
  Math.round((pauses[tries - 1] ?? maxPauseMs) * (0.8 + Math.random() * 0.4))
