import { fullName } from '@keyturn/contract/accounts/rules.ts'
import type { Claim, claimCar as claimCall, ListingState } from '@keyturn/contract/cars/claims.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Deps } from '../../../deps.ts'
import { newOwnedId } from '../../../platform/database/new-id.ts'
import { type Db, transaction } from '../../../platform/database/open-database.ts'
import { type Cursor, cutPage, decodeCursor, type Page } from '../../../platform/database/pagination.ts'
import type { Administrator, UserActor } from '../../../platform/http/authorization.ts'
import { enqueueEmail } from '../../../platform/mail/email-queue.ts'
import { recordAdminEvent } from '../../accounts/administrator/admin-events.ts'
import { lockExistingPerson } from '../../accounts/people/lock-person.ts'
import { listingKeptEmail, listingRemovedEmail } from '../emails.ts'
import { toCarFacts } from '../mappers.ts'
import { lockLiveCarByVin } from '../repository.ts'
import * as store from './claim-repository.ts'

/** Reports to the administrator that a stranger has listed the caller's car (R-cars-36). */
export function claimCar(
  deps: Deps,
  actor: UserActor,
  { reason, ...facts }: EndpointInput<typeof claimCall>['body'],
): Promise<{ ok: true }> {
  return transaction(deps, async (tx) => {
    await lockExistingPerson(tx, actor.id)
    // A listing that is removed meanwhile would leave the claim open forever.
    const [listing] = await lockLiveCarByVin(tx, { vin: facts.vin })
    if (!listing || listing.car.sellerId === actor.id) throw apiErrors.NotFound()
    const claim = { id: newOwnedId(listing.car.id), carId: listing.car.id, claimantId: actor.id }
    await store.upsertClaim(tx, { ...claim, reason, facts: JSON.stringify(facts) })
    return { ok: true }
  })
}

export async function listClaims(deps: Deps, page: Page): Promise<{ claims: Claim[]; next: Cursor | null }> {
  const after = decodeCursor(page.cursor)
  const rows = await store.findClaims(deps.db, {
    limit: page.limit + 1,
    afterAt: after?.at ?? null,
    afterId: after?.id ?? null,
  })
  const { shown, next } = cutPage(rows, page.limit, ({ at, claim }) => ({ at, id: claim.id }))
  return { claims: shown.map(claimOf), next }
}

/** Emails the claimant that the listing stays. Repeating it changes nothing. */
export async function keepClaimedListing(
  deps: Deps,
  administrator: Administrator,
  id: string,
): Promise<void> {
  await transaction(deps.db, async (tx) => {
    const [claim] = await store.findClaim(tx, { id })
    if (!claim) throw apiErrors.NotFound()
    await recordAdminEvent(tx, administrator, {
      act: 'keptListing',
      personId: claim.claimantId,
      subject: id,
      before: { outcome: claim.outcome },
      after: { outcome: claim.outcome ?? 'KEPT' },
    })
    for (const closed of await store.markListingKept(tx, { id })) await mailDecision(deps, tx, closed, 'KEPT')
  })
  deps.log.warn({ claim: id }, 'claimed listing kept by the administrator')
}

/** Emails everybody who claimed a car whose listing is removed. */
export async function closeClaims(deps: Pick<Deps, 'config'>, tx: Db, carId: string): Promise<void> {
  for (const closed of await store.closeClaims(tx, { carId })) await mailDecision(deps, tx, closed, 'REMOVED')
}

async function mailDecision(
  deps: Pick<Deps, 'config'>,
  tx: Db,
  { claimantId, facts, email, isSold }: store.ClosedClaim,
  outcome: 'KEPT' | 'REMOVED',
): Promise<void> {
  if (!email || !facts) return
  const car = carName(facts)
  const content = outcome === 'KEPT' ? listingKeptEmail(car, isSold) : listingRemovedEmail(deps.config, car)
  await enqueueEmail(deps, tx, { id: claimantId, email }, content)
}

const claimOf = ({ claim, car, isReserved, seller, claimant }: store.ClaimRow): Claim => ({
  _id: claim.id,
  at: claim.claimedAt.toISOString(),
  handledAt: claim.handledAt?.toISOString() ?? null,
  outcome: claim.outcome,
  reason: claim.reason ?? '',
  claimant: personOf(claimant),
  claimed: claim.facts,
  seller: personOf(seller),
  listed: {
    ...toCarFacts(car),
    vin: car.vin,
    _id: car.id,
    createdAt: car.createdAt.toISOString(),
    state: stateOf(car, isReserved),
  },
})

function stateOf(car: store.ClaimRow['car'], isReserved: boolean): ListingState {
  if (car.completedAt) return 'sold'
  if (car.deletedAt) return 'removed'
  return isReserved ? 'reserved' : 'live'
}

const personOf = (person: store.ClaimRow['seller']) => ({
  _id: person.id,
  name: fullName(person),
  email: person.email ?? '',
  phoneNumber: person.phoneNumber,
})
