import type { Side } from '@keyturn/contract/accounts/rules.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import type { TimelineEntry } from '@keyturn/contract/deals/calls.ts'
import { type DealEventName, type EventCar, milesLine } from '@keyturn/contract/deals/events.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import type { Change } from '../../decide/changes.ts'

const texts = dealTexts.termSheet.voided

export type SinceSigning = {
  /** Old and new, once for each term however often it changed. */
  changes: Change[]
  /** The 72 hours that this side's signature began have ended. */
  hasLapsed: boolean
  /** The seller has said no, and the request was made again. */
  wasTurnedDown: boolean
}

/** What has made a side's last signature void, out of a timeline (newest first); null when nothing has, or there is none. */
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
  if (facts?.event === 'termsChanged') return changesOfCar(facts)
  if (event === 'tradeRemoved')
    return [{ label: texts.trade, before: from, after: '', said: texts.takenOut(from) }]
  const label = labels[event]
  return label ? [{ label, before: from, after: to }] : []
}

/** What carries one term from an old value to a new one. */
const labels: Partial<Record<DealEventName, string>> = {
  repriced: texts.price,
  priceChanged: texts.price,
  tradesChanged: texts.trade,
  // As one line, where no facts were kept.
  termsChanged: texts.car,
}

/** Only what differs in the car is told. */
const changesOfCar = ({ from, to }: { from: EventCar; to: EventCar }): Change[] =>
  [
    { label: texts.car, before: carName(from), after: carName(to) },
    { label: texts.mileage, before: milesLine(from.mileage), after: milesLine(to.mileage) },
  ].filter(({ before, after }) => before !== after)

/** From the value that was signed to the present one; what came back to it is still to be signed anew. */
function summedUp(steps: readonly Change[]): Change[] {
  const byLabel = new Map<string, Change>()
  for (const step of steps) {
    const first = step.said ? step : (byLabel.get(step.label) ?? step)
    byLabel.set(step.said ?? step.label, { ...step, before: first.before })
  }
  return [...byLabel.values()].map((change) =>
    change.before === change.after ? { ...change, said: texts.setAgain(change.after) } : change,
  )
}
