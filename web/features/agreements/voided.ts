import type { Side } from '@keyturn/contract/accounts/rules.ts'
import { termSheetTexts } from '@keyturn/contract/agreements/agreement-texts.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { type DealEventName, type EventCar, loanLine } from '@keyturn/contract/deals/events.ts'
import type { TimelineEntry } from '@keyturn/contract/deals/shapes.ts'
import { termsTexts } from '@keyturn/contract/deals/terms-texts.ts'
import { formatMiles } from '@keyturn/contract/shared/miles.ts'
import type { Change } from '../../api/mutations/changes.ts'

const texts = termSheetTexts.voided

export type SinceSigning = {
  /** Old and new value, once per term however often it changed. */
  changes: Change[]
  /** The 72 hours that began with this side's signature have ended. */
  hasLapsed: boolean
  /** The seller denied or released the buyer, and the request was made again. */
  wasTurnedDown: boolean
}

/** What voided a side's last signature, from a timeline (newest first); null if nothing has, or there is no signature. */
export function sinceSigning(timeline: readonly TimelineEntry[], side: Side): SinceSigning | null {
  const signed = side === 'SELLER' ? 'sellerSigned' : 'buyerSigned'
  const place = timeline.findIndex(({ event }) => event === signed)
  if (place === -1) return null
  const later = timeline.slice(0, place).reverse()
  const changes = summedUp(later.flatMap(changesIn))
  const hasLapsed = side === 'SELLER' && later.some(({ event }) => event === 'lapsed')
  const wasTurnedDown = later.some(({ event }) => event === 'denied' || event === 'released')
  return changes.length > 0 || hasLapsed || wasTurnedDown ? { changes, hasLapsed, wasTurnedDown } : null
}

function changesIn({ event, from = '', to = '', facts }: TimelineEntry): Change[] {
  if (facts.event === 'termsChanged') return changesOfCar(facts)
  if (event === 'tradeRemoved')
    return [{ label: texts.trade, before: from, after: '', sentence: texts.takenOut(from) }]
  const label = labels[event]
  return label ? [{ label, before: from, after: to }] : []
}

const labels: Partial<Record<DealEventName, string>> = {
  repriced: texts.price,
  priceChanged: texts.price,
  tradesChanged: texts.trade,
}

const changesOfCar = ({ from, to }: { from: EventCar; to: EventCar }): Change[] =>
  [
    { label: texts.car, before: carName(from), after: carName(to) },
    { label: texts.mileage, before: formatMiles(from.mileage), after: formatMiles(to.mileage) },
    { label: termsTexts.loan.label, before: loanLine(from.payoff), after: loanLine(to.payoff) },
  ].filter(({ before, after }) => before !== after)

/**
 * Merges changes from the signed to the current value. A value that changed back is included,
 * because it must be signed again too.
 */
function summedUp(steps: readonly Change[]): Change[] {
  const byLabel = new Map<string, Change>()
  for (const step of steps) {
    const first = step.sentence ? step : (byLabel.get(step.label) ?? step)
    byLabel.set(step.sentence ?? step.label, { ...step, before: first.before })
  }
  return [...byLabel.values()].map((change) =>
    change.before === change.after ? { ...change, sentence: texts.setAgain(change.after) } : change,
  )
}
