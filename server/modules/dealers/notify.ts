import { fullName } from '@keyturn/contract/accounts/rules.ts'
import type { PartnerReport } from '@keyturn/contract/dealers/dealer-api.ts'
import { nextStepsTexts } from '@keyturn/contract/dealers/next-steps-texts.ts'
import type { Deps } from '../../deps.ts'
import type { Db } from '../../platform/database/open-database.ts'
import type { AgreementLinks } from '../agreements/agreement-links.ts'
import type { LogHead } from '../agreements/evidence-log/evidence-log.ts'
import { toDealerContact } from '../cars/mappers.ts'
import type { DealView } from '../deals/deal-view-repository.ts'
import { aboutDeal, carNameOf } from '../deals/notify.ts'
import { notify } from '../notifications/notify.ts'

export type NotifiedStep = Exclude<PartnerReport, { step: 'cancelled' }>
export async function notifyDealerStep(
  deps: Deps,
  tx: Db,
  view: DealView,
  report: NotifiedStep,
  dealer: string,
): Promise<void> {
  const facts = { car: carNameOf(view.car), dealer }
  const about = aboutDeal(view)
  switch (report.step) {
    case 'accepted':
      return notify(deps, tx, 'dealerAccepted', { about, facts })
    case 'needsDocument':
      return notify(deps, tx, 'documentNeeded', { about, facts: { ...facts, document: report.document } })
    case 'appointment':
      return notify(deps, tx, 'appointmentMade', {
        about,
        facts: { ...facts, place: report.place, time: report.time },
      })
    case 'paidSeller':
      return notify(deps, tx, 'sellerPaid', { about, facts })
    case 'titleReceived':
      return notify(deps, tx, 'titleReceived', { about, facts })
  }
}

/** Notifies both parties and attaches the PDF, which is made before the email is sent. */
export async function notifyDealPassed(
  deps: Deps,
  tx: Db,
  view: DealView,
  { packageId, links, head }: { packageId: string; links: AgreementLinks; head: LogHead },
): Promise<void> {
  const dealer = toDealerContact(view.dealer, deps.config.dealer)
  const facts = {
    car: carNameOf(view.car),
    buyer: fullName(view.buyer),
    seller: fullName(view.seller),
    packageId,
    links,
    size: head.size,
    root: head.root.toString('hex'),
    dealer,
    next: nextStepsTexts.steps.call.what({ dealer }),
  }
  await notify(deps, tx, 'bothSigned', { about: aboutDeal(view), facts })
}
