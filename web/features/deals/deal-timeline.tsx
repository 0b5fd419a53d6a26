import type { TimelineEntry } from '@keyturn/contract/deals/shapes.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { useQuery } from '@tanstack/react-query'
import { Timeline } from '../../components/display/timeline.tsx'
import { Card } from '../../components/layout/card.tsx'
import { QueryContent } from '../../components/lists/query-content.tsx'
import { timelineQuery } from './queries.ts'

const texts = dealTexts.timeline

type DealTimelineProps = { userId: string; vin: string; buyerId?: string }

export const DealTimeline = (props: DealTimelineProps) => (
  <Card title={texts.title}>
    <TimelineContent {...props} />
  </Card>
)

/** Shows a deal's events, newest first. */
export function TimelineContent({ userId, vin, buyerId }: DealTimelineProps) {
  const entries = useQuery(timelineQuery(userId, vin, buyerId))
  return (
    <QueryContent from={entries} failed={texts.failed} skeleton="lines" skeletonRows={3}>
      {(all) => <Timeline label={texts.title} entries={all.map(eventEntry)} />}
    </QueryContent>
  )
}

const eventEntry = ({ at, actor, name, event, from, to }: TimelineEntry, index: number) => ({
  id: `${at}-${index}`,
  at,
  person: name ?? texts.actors[actor],
  what: dealTexts.events[event],
  before: from,
  after: to,
})
