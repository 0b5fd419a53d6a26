import type { PartnerDeal, PartnerReport } from '@keyturn/contract/dealers/dealer-api.ts'
import type { DealEvent } from '@keyturn/contract/deals/events.ts'
import type { DealerStep } from '@keyturn/contract/deals/shapes.ts'
import type { DealView } from '../../deals/deal-view-repository.ts'
import { eventByStep, readDealerSteps } from '../../deals/dealer-steps.ts'
import { isOpenAndPaused } from '../../deals/mappers.ts'

// Converts between a dealer's reports and the deal's events.

export type DealerReport = PartnerReport | { step: 'complete' }

/** Maps a report to the stored event, with the dealer's current name. */
export function toDealEvent(report: DealerReport, dealer: string): DealEvent {
  switch (report.step) {
    case 'needsDocument':
      return { event: 'documentNeeded', dealer, document: report.document }
    case 'appointment':
      return { event: 'appointmentMade', dealer, place: report.place, time: report.time }
    case 'cancelled':
      return { event: 'dealerCancelled', dealer, reason: report.reason }
    default:
      return { event: eventByStep[report.step], dealer }
  }
}

/** Returns whether the report repeats the previous one of its kind. */
export function isRepeatedReport(report: DealerReport, steps: readonly DealerStep[]): boolean {
  const last = steps.findLast(({ step }) => step === report.step)
  if (report.step === 'needsDocument') return last?.document === report.document
  if (report.step === 'appointment') return last?.place === report.place && last?.time === report.time
  return false
}

export const toPartnerDeal = (view: DealView): PartnerDeal => ({
  pkgId: view.deal.packageId ?? '',
  completed: view.deal.status === 'COMPLETED',
  cancelled: view.deal.withdrawnAt !== null,
  isPaused: isOpenAndPaused(view),
  steps: readDealerSteps(view.dealerEvents),
})
