import { carName } from '@keyturn/contract/cars/rules.ts'
import {
  answerDeal,
  dealerAnswer,
  dealerEvent,
  type PartnerDeal,
  partnerAgreement,
  partnerDeal,
  readPartnerDeal,
} from '@keyturn/contract/dealers/dealer-api.ts'
import type {
  DeskAnswer,
  DeskDeal,
  deliverToDesk,
  listDeskDeals,
} from '@keyturn/contract/dealers/dealer-desk.ts'
import { completeDeal } from '@keyturn/contract/deals/endpoints.ts'
import { dealerStepsOpen } from '@keyturn/contract/deals/rules.ts'
import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import { ApiError, apiErrors } from '@keyturn/contract/shared/error.ts'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { decodeCursor } from '../../../platform/database/page.ts'
import { isRecent, isSignedWith, readSignature } from '../../../platform/http/signed-requests.ts'
import type { DealerDesk } from './desk.ts'
import { callHome } from './desk-client.ts'
import * as store from './desk-repository.ts'

// The desk's use cases. The desk knows no more of a deal than any dealer's system does.

type AtDesk = Pick<Deps, 'db'> & { desk: DealerDesk }

/** Verifies a delivery as a dealer's system does: over the bytes of the body, by its own clock. */
export function requireDeskSignature({ key }: DealerDesk, { headers, sentBody }: FastifyRequest): void {
  const signature = readSignature(headers)
  if (!isRecent(signature, Date.now() / 1000) || !isSignedWith(key, signature, sentBody ?? Buffer.alloc(0)))
    throw apiErrors.InvalidSignature()
}

/** Ignores financing wishes, which the package also contains, and tests. */
export async function receiveDelivery(
  { db }: AtDesk,
  sent: EndpointInput<typeof deliverToDesk>['body'],
): Promise<void> {
  const { data: event, success } = dealerEvent.safeParse(sent)
  if (!success) throw apiErrors.ValidationError()
  if (event.type !== 'deal.passed') return
  const { pkgId, deal } = event.data
  await store.enterDeal(db, { packageId: pkgId, car: carName(deal.car), vin: deal.car.vin })
}

/** Refreshes pending deals, because an administrator may have completed one elsewhere. */
export async function listDeals(at: AtDesk, asked: EndpointInput<typeof listDeskDeals>['query']) {
  const page = { list: asked.list, limit: asked.limit + 1, after: decodeCursor(asked.cursor) }
  const rows = await store.findDeals(at.db, page)
  const shown = rows.slice(0, asked.limit)
  const last = rows.length > asked.limit ? shown.at(-1) : undefined
  const deals = await Promise.all(
    shown.map(({ deal }) => (asked.list === 'waiting' ? asItStands(at, deal) : deal)),
  )
  return {
    deals: deals.filter(({ isDone }) => isDone === (asked.list === 'done')).map(wireOf),
    next: last ? { at: last.at, id: last.deal.packageId } : null,
  }
}

async function asItStands(at: AtDesk, row: Row): Promise<Row> {
  try {
    const { deal } = await readAtHome(at, row.packageId)
    return { ...row, ...(await keepStanding(at, deal)) }
  } catch (error) {
    // A failed refresh still shows the stored row.
    if (error instanceof ApiError) return row
    throw error
  }
}

export async function readDeal(at: AtDesk, pkgId: string) {
  const row = await findOwn(at, pkgId)
  const found = await readAtHome(at, pkgId)
  await keepStanding(at, found.deal)
  return { ...found, receivedAt: row.receivedAt.toISOString() }
}

async function readAtHome({ desk }: AtDesk, pkgId: string) {
  const bytes = await callHome(desk, readPartnerDeal, { pkgId })
  return readPartnerDeal.response.decode(JSON.parse(bytes.toString()))
}

export async function readAgreement(at: AtDesk, pkgId: string) {
  await findOwn(at, pkgId)
  return new Uint8Array(await callHome(at.desk, partnerAgreement, { pkgId }))
}

/** `key` comes from the page, which repeats it after a lost response. */
export async function sendStep(
  at: AtDesk,
  answer: DeskAnswer,
  key: string | undefined,
): Promise<PartnerDeal> {
  const { pkgId } = answer
  await findOwn(at, pkgId)
  const id = key === undefined || !/^[\w-]{8,200}$/.test(key) ? undefined : `desk_${key}`
  if (answer.step === 'complete') {
    await callHome(at.desk, completeDeal, { pkgId, body: { pkgId }, id })
    return (await readDeal(at, pkgId)).deal
  }
  const body = dealerAnswer.encode(answer)
  const bytes = await callHome(at.desk, answerDeal, { pkgId, body, id })
  const deal = partnerDeal.decode(JSON.parse(bytes.toString()))
  await keepStanding(at, deal)
  return deal
}

async function findOwn({ db }: AtDesk, pkgId: string) {
  const [row] = await store.findDeal(db, { packageId: pkgId })
  if (!row) throw apiErrors.NotFound()
  return row
}

async function keepStanding({ db }: AtDesk, { pkgId, steps }: PartnerDeal) {
  const last = steps.at(-1)
  const standing = {
    step: last?.step ?? null,
    stepAt: last ? new Date(last.at) : null,
    isDone: dealerStepsOpen(steps.map(({ step }) => step)).length === 0,
  }
  await store.saveStanding(db, { packageId: pkgId, ...standing })
  return standing
}

type Row = Awaited<ReturnType<typeof findOwn>>
const wireOf = (row: Row): DeskDeal => ({
  _id: row.packageId,
  car: row.car,
  vin: row.vin,
  receivedAt: row.receivedAt.toISOString(),
  step: row.step,
  stepAt: row.stepAt?.toISOString() ?? null,
})
