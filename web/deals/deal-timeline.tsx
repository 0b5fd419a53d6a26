import type { TimelineEntry } from '@keyturn/contract/deals/shapes.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { useQuery } from '@tanstack/react-query'
import { Timeline } from '../ui/deal/timeline.tsx'
import type { TurnState } from '../ui/deal/turn.tsx'
import { Card } from '../ui/frame/card.tsx'
import { Loaded } from '../ui/lists/loaded.tsx'
import { timelineQuery } from './queries.ts'

const texts = dealTexts.timeline

type DealTimelineProps = { userId: string; vin: string; buyerId?: string; turn?: TurnState }

/** What happened in a deal, as a card of its screen. */
export const DealTimeline = (props: DealTimelineProps) => (
  <Card title={texts.title}>
    <DealEvents {...props} />
  </Card>
)

/** What happened in a deal, who did it and when, newest first, for either side. */
export function DealEvents({ userId, vin, buyerId, turn }: DealTimelineProps) {
  const entries = useQuery(timelineQuery(userId, vin, buyerId))
  return (
    <Loaded from={entries} failed={texts.failed} skeleton="lines" skeletonRows={3}>
      {(all) => <Timeline label={texts.title} turn={turn} entries={all.map(shownEntry)} />}
    </Loaded>
  )
}

const shownEntry = ({ at, actor, name, event, from, to }: TimelineEntry, index: number) => ({
  id: `${at}-${index}`,
  at,
  person: name ?? texts.actors[actor],
  what: dealTexts.events[event],
  before: from,
  after: to,
})
