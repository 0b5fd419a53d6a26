import { carName } from '@keyturn/contract/cars/rules.ts'
import {
  answerDeal,
  dealerEvent,
  type PartnerDeal,
  partnerDeal,
  partnerReport,
  readPartnerAgreement,
  readPartnerDeal,
} from '@keyturn/contract/dealers/dealer-api.ts'
import type {
  DeskDeal,
  DeskReport,
  deliverToDesk,
  listDeskDeals as listCall,
} from '@keyturn/contract/dealers/dealer-desk.ts'
import { completeDeal } from '@keyturn/contract/deals/endpoints.ts'
import { possibleDealerSteps } from '@keyturn/contract/deals/rules.ts'
import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import { ApiError, apiErrors } from '@keyturn/contract/shared/error.ts'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { transaction } from '../../../platform/database/open-database.ts'
import { decodeCursor } from '../../../platform/database/pagination.ts'
import type { Administrator } from '../../../platform/http/authorization.ts'
import { isRecentSignature, isSignedWithKey, parseSignature } from '../../../platform/http/signed-requests.ts'
import { findPartiesOfPackage } from '../../accounts/administrator/admin-audit-log.ts'
import { recordAdminEvent } from '../../accounts/administrator/admin-events.ts'
import type { DealerDesk } from './desk.ts'
import { sendSignedRequest } from './desk-client.ts'
import * as store from './desk-repository.ts'

// Use cases of the desk, which has the same data about a deal as any dealer's system.

type DeskDeps = Pick<Deps, 'db'> & { desk: DealerDesk }

/** Verifies a delivery as a dealer's system does: over the bytes of the body, by its own clock. */
export function requireDeskSignature({ key }: DealerDesk, { headers, sentBody }: FastifyRequest): void {
  const signature = parseSignature(headers)
  if (
    !isRecentSignature(signature, Date.now() / 1000) ||
    !isSignedWithKey(key, signature, sentBody ?? Buffer.alloc(0))
  )
    throw apiErrors.InvalidSignature()
}

/** Ignores tests, and financing wishes, which the package also contains. */
export async function receiveDeskDelivery(
  { db }: DeskDeps,
  sent: EndpointInput<typeof deliverToDesk>['body'],
): Promise<void> {
  const { data: event, success } = dealerEvent.safeParse(sent)
  if (!success) throw apiErrors.ValidationError()
  if (event.type !== 'deal.passed') return
  const { pkgId, deal } = event.data
  await store.insertDeskDeal(db, { packageId: pkgId, car: carName(deal.car), vin: deal.car.vin })
}

/** Refreshes waiting deals, because an administrator may have completed one elsewhere. */
export async function listDeskDeals(at: DeskDeps, query: EndpointInput<typeof listCall>['query']) {
  const page = { list: query.list, limit: query.limit + 1, after: decodeCursor(query.cursor) }
  const rows = await store.findDeskDeals(at.db, page)
  const shown = rows.slice(0, query.limit)
  const last = rows.length > query.limit ? shown.at(-1) : undefined
  const deals = await Promise.all(
    shown.map(({ deal }) => (query.list === 'waiting' ? refreshDeal(at, deal) : deal)),
  )
  return {
    deals: deals.filter(({ isDone }) => isDone === (query.list === 'done')).map(toDeskDeal),
    next: last ? { at: last.at, id: last.deal.packageId } : null,
  }
}

async function refreshDeal(at: DeskDeps, row: Row): Promise<Row> {
  try {
    const { deal } = await fetchDeal(at, row.packageId)
    return { ...row, ...(await saveState(at, deal)) }
  } catch (error) {
    // A failed refresh still shows the stored row.
    if (error instanceof ApiError) return row
    throw error
  }
}

export async function readDeskDeal(at: DeskDeps, pkgId: string) {
  const row = await findStoredDeal(at, pkgId)
  const found = await fetchDeal(at, pkgId)
  await saveState(at, found.deal)
  return { ...found, receivedAt: row.receivedAt.toISOString() }
}

async function fetchDeal({ desk }: DeskDeps, pkgId: string) {
  const bytes = await sendSignedRequest(desk, readPartnerDeal, { pkgId })
  return readPartnerDeal.response.decode(JSON.parse(bytes.toString()))
}

export async function readDeskAgreement(at: DeskDeps, pkgId: string) {
  await findStoredDeal(at, pkgId)
  return new Uint8Array(await sendSignedRequest(at.desk, readPartnerAgreement, { pkgId }))
}

/** `key` comes from the page, which repeats it after a lost response. */
export async function reportDeskStep(
  at: DeskDeps,
  administrator: Administrator,
  report: DeskReport,
  key: string | undefined,
): Promise<PartnerDeal> {
  const { pkgId } = report
  await findStoredDeal(at, pkgId)
  // The desk calls the product as a dealer's system does, so the row commits before the call.
  await transaction(at.db, async (tx) => {
    for (const { sellerId, buyerId } of await findPartiesOfPackage(tx, { pkgId }))
      for (const personId of [sellerId, buyerId])
        await recordAdminEvent(tx, administrator, {
          act: 'actedAtDesk',
          personId,
          subject: pkgId,
          after: { step: report.step },
        })
  })
  const id = key === undefined || !/^[\w-]{8,200}$/.test(key) ? undefined : `desk_${key}`
  if (report.step === 'complete') {
    await sendSignedRequest(at.desk, completeDeal, { pkgId, body: { pkgId }, id })
    return (await readDeskDeal(at, pkgId)).deal
  }
  const body = partnerReport.encode(report)
  const bytes = await sendSignedRequest(at.desk, answerDeal, { pkgId, body, id })
  const deal = partnerDeal.decode(JSON.parse(bytes.toString()))
  await saveState(at, deal)
  return deal
}

async function findStoredDeal({ db }: DeskDeps, pkgId: string) {
  const [row] = await store.findDeskDeal(db, { packageId: pkgId })
  if (!row) throw apiErrors.NotFound()
  return row
}

async function saveState({ db }: DeskDeps, { pkgId, steps }: PartnerDeal) {
  const last = steps.at(-1)
  const state = {
    step: last?.step ?? null,
    stepAt: last ? new Date(last.at) : null,
    isDone: possibleDealerSteps(steps.map(({ step }) => step)).length === 0,
  }
  await store.saveDeskState(db, { packageId: pkgId, ...state })
  return state
}

type Row = Awaited<ReturnType<typeof findStoredDeal>>
const toDeskDeal = (row: Row): DeskDeal => ({
  _id: row.packageId,
  car: row.car,
  vin: row.vin,
  receivedAt: row.receivedAt.toISOString(),
  step: row.step,
  stepAt: row.stepAt?.toISOString() ?? null,
})
