import type {
  startProgress as startCall,
  updateProgress as updateCall,
} from '@keyturn/contract/deals/endpoints.ts'
import { isActiveRequest, isReserved } from '@keyturn/contract/deals/rules.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { isStepAllowed, sellerStage, targetStage } from '@keyturn/contract/deals/stages.ts'
import { dealErrors } from '@keyturn/contract/deals/texts.ts'
import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Deps } from '../../../deps.ts'
import { newOwnedId } from '../../../platform/database/new-id.ts'
import { type Db, transaction } from '../../../platform/database/open-database.ts'
import type { SessionContext } from '../../../platform/http/change-context.ts'
import { requireFreshVersion } from '../../../platform/http/require-fresh-version.ts'
import { consumeLimit, throttleLimits } from '../../../platform/rate-limits/throttles.ts'
import { lockExistingPerson, lockSigner, type Signer } from '../../accounts/people/lock-person.ts'
import { isSuspended } from '../../accounts/people/suspension.ts'
import { findLiveListing } from '../../cars/repository.ts'
import { listAvailableTrades } from '../../trades/read-trades.ts'
import type { DealView } from '../deal-view-repository.ts'
import { recordDealEvent } from '../event-repository.ts'
import { toProgress, toProgressFacts, toRequestedTrades } from '../mappers.ts'
import { publishCarChange } from '../notify.ts'
import * as store from '../repository.ts'
import { encodeProgress, readProgressForActor } from './deal-moves.ts'
import { type LockedCar, lockDealOfBuyer, lockIntendedDeal, lockListing } from './lock-deal.ts'
import { findTradeError } from './request-trades.ts'

type Form = EndpointInput<typeof updateCall>['body']
type SentData = Form['data']

export type SigningForm = {
  name: string | null | undefined
  signature: string | null | undefined
  /** The drawing next to the typed signature. */
  drawing: string | null | undefined
  consent: string | boolean | undefined
  version: number | undefined
  /** The version of the text that the signer was shown. */
  textVersion: string | undefined
  /** Locked before the car; undefined without a name or a signature. */
  signer: Signer | undefined
  /** The password was sent with the signature, and was right. */
  withPassword: boolean
}

/**
 * Signs the current terms for one side of a locked deal. `now` is the database's clock. The
 * `agreements` module implements it.
 */
export type SignTerms = (
  deps: Deps,
  tx: Db,
  by: SessionContext,
  side: 'SELLER' | 'BUYER',
  view: DealView,
  now: Date,
  form: SigningForm,
) => Promise<void>

/**
 * Creates a buyer's progress on a car; repeated requests return the same progress. Without
 * `userId`, the VIN identifies the seller. Throws `NotFound`, `OwnCar` and `TooManyRequests`
 * (R-deals-1, R-deals-3, R-deals-4).
 */
export async function startProgress(
  deps: Deps,
  by: SessionContext,
  { userId, vin }: EndpointInput<typeof startCall>['body'],
): Promise<Progress> {
  const sellerId = userId ?? (await findSellerByVin(deps, by.actorId, vin))
  return transaction(deps, async (tx) => {
    await lockExistingPerson(tx, by.actorId)
    const { car } = await lockListing(deps, tx, sellerId, vin)
    if (car.sellerId === by.actorId) throw dealErrors.OwnCar()
    const known = await lockDealOfBuyer(tx, car, by.actorId, by)
    if (known) return toProgress(known, deps.config, by.actorId)
    if (car.completedAt || (await isSuspended(tx, car.sellerId))) throw apiErrors.NotFound()
    const id = newOwnedId(car.id)
    by.concerns?.(id)
    await store.insertDeal(tx, { id, carId: car.id, sellerId: car.sellerId, buyerId: by.actorId })
    await recordDealEvent(tx, id, 'BUYER', by, { event: 'started' })
    await publishCarChange(tx, car)
    return readProgressForActor(tx, id, deps, by)
  })
}

/**
 * Counts each VIN that is not the caller's own against the limit, whether or not it exists, so that
 * listings cannot be harvested (R-deals-91).
 */
async function findSellerByVin(deps: Deps, actorId: string, vin: string): Promise<string> {
  const [listing] = await findLiveListing(deps.db, { vin })
  const [own] = await store.findCarOfOwnDeal(deps.db, { buyerId: actorId, vin })
  const isParty = listing && (listing.sellerId === actorId || listing.id === own?.carId)
  if (!isParty) {
    await consumeLimit(deps, throttleLimits.enterVinHourly, actorId)
    await consumeLimit(deps, throttleLimits.enterVinDaily, actorId)
  }
  if (!listing) throw apiErrors.NotFound()
  return listing.sellerId
}

/** Records a step, answers or a signature for the side given by `data.userType` (R-safe-7). */
export async function updateProgress(
  deps: Deps,
  by: SessionContext,
  form: Form,
  sign: SignTerms,
): Promise<Progress> {
  const { data } = form
  const version = form.version ?? data.version
  return transaction(deps, async (tx) => {
    const signer = isSigningForm(data) ? await lockSigner(tx, by.actorId) : undefined
    const open = await lockListing(deps, tx, form.userId, form.vin)
    const view = await openDealOfSide(tx, open, by, data.userType)
    const { isSigned, storedSignature, ...typed } = signatureIn(data, view)
    if (isSigned || (data.agreementSigned && !storedSignature)) {
      const { consent, textVersion } = data
      const withPassword = Boolean(data.currentPassword)
      const given = { ...typed, consent, version, textVersion, signer, withPassword }
      await sign(deps, tx, by, data.userType, view, open.now, given)
    } else {
      const current = () => encodeProgress(view, deps, by.actorId)
      if (view.isPaused) throw dealErrors.DealPaused({ current: current() })
      requireFreshVersion(version, [view.deal.version], current)
      if (data.userType === 'BUYER') await saveBuyerStep(tx, view, data, current)
      else requireReachableStage(toProgress(view, deps.config, by.actorId), data, current)
    }
    await publishCarChange(tx, open.car)
    return readProgressForActor(tx, view.deal.id, deps, by)
  })
}

/**
 * Returns whether the data contains a complete signature: the signed flag, a name and a signature.
 */
export function isSigningForm(data: SentData): boolean {
  const { isSigned, name, signature } = signatureIn(data)
  return Boolean((isSigned || data.agreementSigned) && name && signature)
}

/** The signature sent for the named side, and that side's stored signature. */
const signatureIn = (data: SentData, view?: DealView) =>
  data.userType === 'SELLER'
    ? {
        isSigned: data.sellerSigned,
        name: data.sellerSignedName,
        signature: data.sellerSignature,
        drawing: data.sellerDrawing,
        storedSignature: view?.sellerSignature,
      }
    : {
        isSigned: data.buyerSigned,
        name: data.buyerSignedName,
        signature: data.buyerSignature,
        drawing: data.buyerDrawing,
        storedSignature: view?.buyerSignature,
      }

/**
 * Locks the caller's deal on the named side. Throws `Forbidden` for the other side, and the same
 * `NotFound` for a stranger and for a missing deal.
 */
async function openDealOfSide(
  tx: Db,
  { car }: LockedCar,
  by: SessionContext,
  side: 'SELLER' | 'BUYER',
): Promise<DealView> {
  const isSeller = car.sellerId === by.actorId
  const own = isSeller ? await lockIntendedDeal(tx, car, by) : await lockDealOfBuyer(tx, car, by.actorId, by)
  if (isSeller !== (side === 'SELLER')) throw own || isSeller ? apiErrors.Forbidden() : apiErrors.NotFound()
  if (!own) throw apiErrors.NotFound()
  return own
}

type Current = () => Record<string, unknown>

async function saveBuyerStep(tx: Db, view: DealView, data: SentData, current: Current): Promise<void> {
  const answers = await readAnswers(tx, view, data)
  const answered: DealView = { ...view, deal: { ...view.deal, ...answers } }
  const target = targetStage(data.step)
  // The step is checked against the wizard step from which the buyer answered.
  const facts = { ...toProgressFacts(answered), activeStep: toProgressFacts(view).activeStep }
  if (target !== null && !isStepAllowed(facts, target, data.goBack === true))
    throw dealErrors.StageNotReachable({ current: current() })
  const movesStep = target !== null && target !== 7 && target !== view.deal.activeStep
  if (!movesStep && Object.keys(answers).length === 0) return
  await store.saveDeal(tx, view.deal.id, {
    ...answers,
    ...(movesStep ? { activeStep: target, reachedStep: Math.max(target, view.deal.reachedStep) } : {}),
    // A signature covers the request as it was sent; changes that were never sent do not count.
    ...(target === 6 && isActiveRequest(view.deal.status) ? toRequestedTrades(view) : {}),
  })
}

/** Picks the answers from the sent data. Answers in a confirmed or signed request cannot change. */
async function readAnswers(tx: Db, view: DealView, data: SentData): Promise<Partial<DealView['deal']>> {
  const { deal } = view
  const areTradesFixed = isReserved(deal.status) || view.buyerSignature !== null
  const answers: Partial<DealView['deal']> = {}
  if (deal.passedAt) return answers
  if (data.needsFinancing != null && data.needsFinancing !== deal.needsFinancing)
    answers.needsFinancing = data.needsFinancing
  // Declining financing clears the wish, so that an old one does not return when financing is
  // chosen again.
  if (data.needsFinancing === false && deal.financing !== null) answers.financing = null
  if (data.needsFinancing !== false && data.financing != null) answers.financing = data.financing
  if (areTradesFixed) return answers
  if (data.hasTrade != null && data.hasTrade !== deal.hasTrade) answers.hasTrade = data.hasTrade
  if (data.hasTrade === false) answers.chosenTradeVins = []
  else if (data.tradeVins && data.tradeVins.join() !== deal.chosenTradeVins.join()) {
    await requireAvailableTrades(tx, view, data.tradeVins)
    answers.chosenTradeVins = data.tradeVins
  }
  return answers
}

async function requireAvailableTrades(tx: Db, view: DealView, vins: string[]): Promise<void> {
  const { deal, car, requestTradeVins } = view
  if (vins.length === 0) return
  const free = await listAvailableTrades(tx, deal.buyerId)
  const allowed = new Set([...free.map((trade) => trade.vin), ...requestTradeVins])
  if (vins.includes(car.vin) || !vins.every((vin) => allowed.has(vin)))
    throw await findTradeError(tx, view, vins)
}

/** A step only records a wizard position. Confirming, signing and completing are separate. */
function requireReachableStage(present: Progress, data: SentData, current: Current): void {
  const target = targetStage(data.step)
  if (target !== null && target > sellerStage(present))
    throw dealErrors.StageNotReachable({ current: current() })
}
