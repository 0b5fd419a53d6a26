import type {
  answerProposal as answerCall,
  proposePrice as proposeCall,
} from '@keyturn/contract/deals/endpoints.ts'
import { sellingTexts } from '@keyturn/contract/deals/selling-texts.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { dealErrors } from '@keyturn/contract/deals/texts.ts'
import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { cents } from '@keyturn/contract/shared/money.ts'
import type { Deps } from '../../../deps.ts'
import { now } from '../../../platform/database/columns.ts'
import { transaction } from '../../../platform/database/open-database.ts'
import type { ChangeContext } from '../../../platform/http/change-context.ts'
import { requireFreshVersion } from '../../../platform/http/require-fresh-version.ts'
import { recordDealEvent } from '../event-repository.ts'
import { toRequestedTrades } from '../mappers.ts'
import { notifyProposalAnswered, notifyProposed, publishCarChange } from '../notify.ts'
import * as store from '../repository.ts'
import { encodeProgress, readProgressForActor, requireMove } from './deal-moves.ts'
import { lockDealOfBuyer, lockListing } from './lock-deal.ts'
import { hasOtherConfirmedBuyer } from './request-car.ts'

/**
 * Proposes another price to one buyer, replaces that proposal or takes it back. The buyer's offer
 * and signature stay as they are (R-deals-93).
 */
export async function proposePrice(
  deps: Deps,
  by: ChangeContext,
  { userId, vin, buyerId, price, version }: EndpointInput<typeof proposeCall>['body'],
): Promise<Progress> {
  return transaction(deps, async (tx) => {
    const { car } = await lockListing(deps, tx, userId, vin)
    if (car.sellerId !== by.actorId)
      throw (await lockDealOfBuyer(tx, car, by.actorId)) ? apiErrors.Forbidden() : apiErrors.NotFound()
    const view = await lockDealOfBuyer(tx, car, buyerId, by)
    if (!view || view.deal.status === 'STARTED') throw apiErrors.NotFound()
    const { id, priceCents, termsVersion } = view.deal
    const current = () => encodeProgress(view, deps, by.actorId)
    if (price !== view.proposal) {
      requireFreshVersion(version, [view.deal.version], current)
      if (await hasOtherConfirmedBuyer(tx, car.id, buyerId)) throw dealErrors.BuyerAlreadyConfirmed()
      const move = requireMove(view, 'SELLER', ['propose'], current)
      if (price === priceCents) {
        const message = sellingTexts.proposal.sameAsOffer
        throw apiErrors.ValidationError({ message, fields: [{ path: 'price', message }] })
      }
      const isOpen = price !== null
      await store.saveDeal(
        tx,
        id,
        isOpen ? { proposedCents: price, proposedAt: now, proposedTerms: termsVersion } : store.noProposal,
      )
      await recordDealEvent(
        tx,
        id,
        move.by,
        by,
        isOpen
          ? { event: 'priceProposed', price }
          : { event: 'proposalTakenBack', price: cents(view.proposal ?? 0) },
      )
      if (isOpen) await notifyProposed(deps, tx, view, price)
      await publishCarChange(tx, car)
    }
    return readProgressForActor(tx, id, deps, by)
  })
}

/**
 * Makes the seller's proposal the buyer's offer, which voids a signature on the earlier one, or
 * declines it. Throws `PriceChanged` unless `price` is the open proposal (R-deals-94).
 */
export async function answerProposal(
  deps: Deps,
  by: ChangeContext,
  { userId, vin, status, price, version }: EndpointInput<typeof answerCall>['body'],
): Promise<Progress> {
  return transaction(deps, async (tx) => {
    const { car } = await lockListing(deps, tx, userId, vin)
    const view = await lockDealOfBuyer(tx, car, by.actorId, by)
    if (!view) throw car.sellerId === by.actorId ? apiErrors.Forbidden() : apiErrors.NotFound()
    const current = () => encodeProgress(view, deps, by.actorId)
    requireFreshVersion(version, [view.deal.version], current)
    if (price !== view.proposal) throw dealErrors.PriceChanged({ current: current() })
    const { id } = view.deal
    const from = cents(view.deal.priceCents ?? 0)
    const isAccepted = status === 'ACCEPTED'
    const move = requireMove(view, 'BUYER', [isAccepted ? 'reprice' : 'decline'], current)
    await store.saveDeal(tx, id, {
      ...store.columnsAfterMove(move),
      ...store.noProposal,
      ...(isAccepted && {
        priceCents: price,
        activeStep: 6,
        ...toRequestedTrades(view),
        ...store.termsVersionBump,
      }),
    })
    await recordDealEvent(
      tx,
      id,
      move.by,
      by,
      isAccepted ? { event: 'proposalAccepted', from, to: price } : { event: 'proposalDeclined', price },
    )
    await notifyProposalAnswered(deps, tx, view, { isAccepted, proposed: price, offer: from })
    await publishCarChange(tx, car)
    return readProgressForActor(tx, id, deps, by)
  })
}
