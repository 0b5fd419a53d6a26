import { type DealEvent, decodeDealEvent, type RecordedDealEvent } from '@keyturn/contract/deals/events.ts'
import type { DealerStepName } from '@keyturn/contract/deals/rules.ts'
import type { DealerStep } from '@keyturn/contract/deals/shapes.ts'
import type { StoredDealerEvent } from './state-sql.ts'

export const eventByStep = {
  accepted: 'dealerAccepted',
  needsDocument: 'documentNeeded',
  appointment: 'appointmentMade',
  paidSeller: 'sellerPaid',
  titleReceived: 'titleReceived',
  complete: 'completed',
  cancelled: 'dealerCancelled',
} as const satisfies Record<DealerStepName, DealEvent['event']>
const stepNames = new Map<string, DealerStepName>(
  Object.entries(eventByStep).map(([step, event]) => [event, step as DealerStepName]),
)
/** Lists the steps that the dealer reported, oldest first. */
export const readDealerSteps = (dealerEvents: readonly StoredDealerEvent[]): DealerStep[] =>
  dealerEvents.flatMap(({ at, facts }): DealerStep[] => {
    const recorded = decodeDealEvent(facts)
    const step = stepNames.get(recorded.event)
    if (!step) return []
    const { event, dealer, ...details } = recorded as RecordedDealEvent & { dealer?: string; by?: string }
    return [{ step, at: new Date(at).toISOString(), ...withoutActor(details) }]
  })

const withoutActor = ({ by, ...details }: { by?: string }) => details
