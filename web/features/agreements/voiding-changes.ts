import type { Party } from '@keyturn/contract/accounts/rules.ts'
import { termSheetTexts } from '@keyturn/contract/agreements/term-sheet-texts.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { type DealEventName, describeLoan, type EventCar } from '@keyturn/contract/deals/events.ts'
import type { TimelineEntry } from '@keyturn/contract/deals/shapes.ts'
import { termsTexts } from '@keyturn/contract/deals/terms-texts.ts'
import { formatMiles } from '@keyturn/contract/shared/miles.ts'
import type { Change } from '../../api/mutations/changes.ts'

const texts = termSheetTexts.voided

export type VoidingChanges = {
  /** One change per term, from the signed to the current value, however often it changed. */
  changes: Change[]
  /** The hold that began with the seller's signature has ended. */
  hasLapsed: boolean
  /** The seller denied or released the buyer, and the request was made again. */
  wasTurnedDown: boolean
}

/**
 * Finds what voided a side's last signature in a timeline (newest first). Returns null if there is
 * no signature or nothing voided it.
 */
export function findVoidingChanges(timeline: readonly TimelineEntry[], side: Party): VoidingChanges | null {
  const signedEvent = side === 'SELLER' ? 'sellerSigned' : 'buyerSigned'
  const signedIndex = timeline.findIndex(({ event }) => event === signedEvent)
  if (signedIndex === -1) return null
  const later = timeline.slice(0, signedIndex).reverse()
  const changes = mergeByLabel(later.flatMap(changesOfEntry))
  const hasLapsed = side === 'SELLER' && later.some(({ event }) => event === 'lapsed')
  const wasTurnedDown = later.some(({ event }) => event === 'denied' || event === 'released')
  return changes.length > 0 || hasLapsed || wasTurnedDown ? { changes, hasLapsed, wasTurnedDown } : null
}

function changesOfEntry({ event, from = '', to = '', facts }: TimelineEntry): Change[] {
  if (facts.event === 'termsChanged') return changesOfCar(facts)
  if (facts.event === 'loanChanged')
    return [{ label: facts.of === 'CAR' ? termsTexts.loan.label : texts.tradeLoan, before: from, after: to }]
  if (event === 'tradeRemoved')
    return [{ label: texts.trade, before: from, after: '', sentence: texts.takenOut(from) }]
  const label = labels[event]
  return label ? [{ label, before: from, after: to }] : []
}

const labels: Partial<Record<DealEventName, string>> = {
  repriced: texts.price,
  priceChanged: texts.price,
  proposalAccepted: texts.price,
  tradesChanged: texts.trade,
}

const changesOfCar = ({ from, to }: { from: EventCar; to: EventCar }): Change[] =>
  [
    { label: texts.car, before: carName(from), after: carName(to) },
    { label: texts.mileage, before: formatMiles(from.mileage), after: formatMiles(to.mileage) },
    { label: termsTexts.loan.label, before: describeLoan(from.payoff), after: describeLoan(to.payoff) },
  ].filter(({ before, after }) => before !== after)

/**
 * Merges the changes of each term into one, from the signed to the current value. A value that
 * changed back is included, because it must be signed again too.
 */
function mergeByLabel(steps: readonly Change[]): Change[] {
  const byLabel = new Map<string, Change>()
  for (const step of steps) {
    const first = step.sentence ? step : (byLabel.get(step.label) ?? step)
    byLabel.set(step.sentence ?? step.label, { ...step, before: first.before })
  }
  return [...byLabel.values()].map((change) =>
    change.before === change.after ? { ...change, sentence: texts.setAgain(change.after) } : change,
  )
}
