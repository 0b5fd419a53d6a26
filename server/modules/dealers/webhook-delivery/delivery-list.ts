import { carName } from '@keyturn/contract/cars/rules.ts'
import type { Delivery, listDeliveries } from '@keyturn/contract/dealers/endpoints.ts'
import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Deps } from '../../../deps.ts'
import { newId } from '../../../platform/database/new-id.ts'
import { transaction } from '../../../platform/database/open-database.ts'
import { cutPage, decodeCursor } from '../../../platform/database/page.ts'
import { addJob } from '../../../platform/jobs/jobs.ts'
import { findDealer } from '../dealer-repository.ts'
import { targetOf } from '../dealer-target.ts'
import { sendDealerEmail } from './dealer-email.ts'
import { deliverJob, jobKeyOf, send } from './deliver-deal.ts'
import * as store from './delivery-repository.ts'
import * as views from './delivery-views.ts'
import { tellSides } from './notify-parked.ts'

type Page = EndpointInput<typeof listDeliveries>['query']

export async function readDeliveries(deps: Deps, { limit, cursor, state }: Page) {
  const rows = await views.findDeliveries(deps.db, {
    limit: limit + 1,
    after: decodeCursor(cursor),
    state: state ?? null,
  })
  const { shown, next } = cutPage(rows, limit, ({ at, id }) => ({ at, id }))
  return { deliveries: shown.map((row) => wireOf(deps, row)), next }
}

/** Sends a test once and synchronously, because the administrator waits for the outcome. */
export async function sendTest(deps: Deps, dealerId: string): Promise<Delivery> {
  const [dealer] = await findDealer(deps.db, { id: dealerId })
  if (!dealer) throw apiErrors.NotFound()
  const [clock] = await views.findNow(deps.db, {})
  const id = newId()
  const at = clock?.now ?? new Date()
  const { attempt, digest } = await send(deps, targetOf(deps.config, dealer), {
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
  })
  return readOne(deps, id)
}

/** Sends the same event again under its original id. */
export async function replayDelivery(deps: Deps, id: string): Promise<Delivery> {
  await transaction(deps.db, async (tx) => {
    const [found] = await store.findDelivery(tx, { id })
    // A test belongs to no deal and cannot be replayed; a new one is sent instead.
    if (!found?.dealId || !found.packageId) throw apiErrors.NotFound()
    await store.requeueDelivery(tx, { id })
    await tellSides(tx, found)
    const { email } = targetOf(deps.config, found.dealer)
    if (found.way === 'webhook')
      await addJob(tx, deliverJob, { dealId: found.dealId }, { key: jobKeyOf(found.dealId) })
    else if (email !== null)
      await sendDealerEmail(deps, tx, { id, email, car: await carOf(deps, id), packageId: found.packageId })
  })
  return readOne(deps, id)
}

const carOf = async (deps: Deps, id: string) => (await readOne(deps, id)).car ?? ''

async function readOne(deps: Deps, id: string): Promise<Delivery> {
  const [row] = await views.findOne(deps.db, { id })
  if (!row) throw apiErrors.NotFound()
  return wireOf(deps, row)
}

function wireOf({ config }: Deps, row: views.ListedDelivery): Delivery {
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
  }
}
