import { cents, formatUsd, formatUsdExact } from '@keyturn/contract/shared/money.ts'
import type { TradeEvent } from '@keyturn/contract/trades/endpoints.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { useQuery } from '@tanstack/react-query'
import { Timeline } from '../../components/display/timeline.tsx'
import type { TurnState } from '../../components/display/turn.tsx'
import { QueryContent } from '../../components/lists/query-content.tsx'
import { tradeHistoryQuery } from './queries.ts'

const texts = tradeTexts.dialog

export function TradeTimeline({ tradeId, turn }: { tradeId: string; turn?: TurnState }) {
  const history = useQuery(tradeHistoryQuery(tradeId))
  return (
    <QueryContent from={history} failed={texts.historyFailed} skeleton="lines" skeletonRows={3}>
      {(events) => <Timeline label={texts.history} turn={turn} entries={entriesOf(events)} />}
    </QueryContent>
  )
}

const entriesOf = (events: readonly TradeEvent[]) =>
  events
    .map((event, place) => ({
      id: String(event.version),
      at: event.at,
      person: event.name ?? tradeTexts.actors[event.actor],
      what: tradeTexts.events[event.event],
      ...amounts(event, events[place - 1]),
    }))
    .reverse()

function amounts(event: TradeEvent, earlier: TradeEvent | undefined) {
  const [old, now] = [earlier?.price ?? null, event.price]
  if (old === null && now === null) return {}
  return {
    before: old !== null && old !== now ? formatUsd(old) : undefined,
    after:
      now === null
        ? tradeTexts.changed.noPrice
        : tradeTexts.eventWithCredit(formatUsd(now), formatUsdExact(event.salesTax ?? cents(0))),
  }
}
