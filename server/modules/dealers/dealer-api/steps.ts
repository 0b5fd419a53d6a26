import type { DealerAnswer, PartnerDeal } from '@keyturn/contract/dealers/dealer-api.ts'
import type { DealEvent } from '@keyturn/contract/deals/events.ts'
import type { DealerStep } from '@keyturn/contract/deals/shapes.ts'
import type { DealView } from '../../deals/deal-view-repository.ts'
import { eventNames, stepsOf } from '../../deals/dealer-steps.ts'

// Converts between a dealer's reports and the deal's events.

export type Said = DealerAnswer | { step: 'complete' }

/** Maps a report to the stored event, with the dealer's current name. */
export function eventOf(said: Said, dealer: string): DealEvent {
  switch (said.step) {
    case 'needsDocument':
      return { event: 'documentNeeded', dealer, document: said.document }
    case 'appointment':
      return { event: 'appointmentMade', dealer, place: said.place, time: said.time }
    case 'cancelled':
      return { event: 'dealerCancelled', dealer, reason: said.reason }
    default:
      return { event: eventNames[said.step], dealer }
  }
}

/** Tells whether the report repeats the previous one of its kind. */
export function isLastOfItsKind(said: Said, steps: readonly DealerStep[]): boolean {
  const last = steps.findLast(({ step }) => step === said.step)
  if (said.step === 'needsDocument') return last?.document === said.document
  if (said.step === 'appointment') return last?.place === said.place && last?.time === said.time
  return false
}

export const partnerDealOf = (view: DealView): PartnerDeal => ({
  pkgId: view.deal.packageId ?? '',
  completed: view.deal.status === 'COMPLETED',
  cancelled: view.deal.withdrawnAt !== null,
  steps: stepsOf(view),
})
