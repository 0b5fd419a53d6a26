import { carName } from '@keyturn/contract/cars/rules.ts'
import type { Delivery, listDeliveries } from '@keyturn/contract/dealers/endpoints.ts'
import { dealErrors } from '@keyturn/contract/deals/texts.ts'
import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Deps } from '../../../deps.ts'
import { newId } from '../../../platform/database/new-id.ts'
import { transaction } from '../../../platform/database/open-database.ts'
import { cutPage, decodeCursor } from '../../../platform/database/pagination.ts'
import type { Administrator } from '../../../platform/http/authorization.ts'
import { addJob } from '../../../platform/jobs/jobs.ts'
import { recordAdminEvent } from '../../accounts/administrator/admin-events.ts'
import { toDealerConnection } from '../dealer-connection.ts'
import { findDealer } from '../dealer-repository.ts'
import { sendDealerEmail } from './dealer-email.ts'
import { deliverJob, deliveryJobKey, sendDelivery } from './deliver-deal.ts'
import * as store from './delivery-repository.ts'
import * as views from './delivery-view-repository.ts'
import { publishDelivery } from './notify-parked.ts'

type Page = EndpointInput<typeof listDeliveries>['query']

export async function readDeliveries(deps: Deps, { limit, cursor, state }: Page) {
  const rows = await views.findDeliveries(deps.db, {
    limit: limit + 1,
    after: decodeCursor(cursor),
    state: state ?? null,
  })
  const { shown, next } = cutPage(rows, limit, ({ at, id }) => ({ at, id }))
  return { deliveries: shown.map((row) => toDelivery(deps, row)), next }
}

/** Sends a test once and synchronously, because the administrator waits for the outcome. */
export async function sendTestDelivery(
  deps: Deps,
  administrator: Administrator,
  dealerId: string,
): Promise<Delivery> {
  const [dealer] = await findDealer(deps.db, { id: dealerId })
  if (!dealer) throw apiErrors.NotFound()
  const [clock] = await views.readDatabaseTime(deps.db, {})
  const id = newId()
  const at = clock?.now ?? new Date()
  const { attempt, digest } = await sendDelivery(deps, toDealerConnection(deps.config, dealer), {
    id,
    kind: 'test',
    createdAt: at,
    now: at,
    dealer,
    packageId: null,
  })
  await transaction(deps.db, async (tx) => {
    await store.insertDelivery(tx, { id, dealerId, kind: 'test', way: 'webhook' })
    const state = attempt.because === null ? 'DELIVERED' : 'PARKED'
    await store.insertDeliveryAttempt(tx, { id, ...attempt, digest, state, pauseMs: 0 })
    await recordAdminEvent(tx, administrator, { act: 'testedDealer', subject: dealerId, after: { state } })
  })
  return readDelivery(deps, id)
}

/** Sends the same event again under its original id. Throws `DealPaused` for a paused deal. */
export async function replayDelivery(
  deps: Deps,
  administrator: Administrator,
  id: string,
): Promise<Delivery> {
  await transaction(deps.db, async (tx) => {
    const [found] = await store.findDelivery(tx, { id })
    // A test belongs to no deal and cannot be replayed; a new one is sent instead.
    if (!found?.dealId || !found.packageId) throw apiErrors.NotFound()
    if (found.isPaused) throw dealErrors.DealPaused()
    await store.requeueDelivery(tx, { id })
    for (const personId of [found.sellerId, found.buyerId])
      await recordAdminEvent(tx, administrator, { act: 'replayedDelivery', personId, subject: id })
    await publishDelivery(tx, found)
    const { email } = toDealerConnection(deps.config, found.dealer)
    if (found.way === 'webhook')
      await addJob(tx, deliverJob, { dealId: found.dealId }, { key: deliveryJobKey(found.dealId) })
    else if (email !== null)
      await sendDealerEmail(deps, tx, {
        id,
        email,
        car: await readCarName(deps, id),
        packageId: found.packageId,
      })
  })
  return readDelivery(deps, id)
}

const readCarName = async (deps: Deps, id: string) => (await readDelivery(deps, id)).car ?? ''

async function readDelivery(deps: Deps, id: string): Promise<Delivery> {
  const [row] = await views.findListedDelivery(deps.db, { id })
  if (!row) throw apiErrors.NotFound()
  return toDelivery(deps, row)
}

function toDelivery({ config }: Deps, row: views.ListedDelivery): Delivery {
  return {
    _id: row.id,
    kind: row.kind,
    way: row.way,
    state: row.state,
    dealer: row.dealerName ?? config.dealer.name,
    pkgId: row.packageId,
    car: row.car && carName({ ...row.car, carModel: row.car.model }),
    createdAt: row.createdAt.toISOString(),
    nextTryAt: row.state === 'WAITING' ? row.nextTryAt.toISOString() : null,
    digest: row.digest?.toString('hex') ?? null,
    tries: row.tries.map(({ at, ...one }) => ({ at: new Date(at).toISOString(), ...one })),
    failedTryDays: config.retention.deliveryTries,
    wasTried: row.tries.length > 0 || row.counted > 0,
  }
}
