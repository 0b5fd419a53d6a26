import type { TimelineEntry } from '@keyturn/contract/deals/shapes.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { exportMessages, type Message, reportMessage } from '@keyturn/contract/messages/endpoints.ts'
import { maxReasonLength } from '@keyturn/contract/messages/rules.ts'
import { messagesTexts } from '@keyturn/contract/messages/texts.ts'
import { Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useEndpointMutation } from '../../api/mutations/use-endpoint-mutation.ts'
import { fetchDocument } from '../../api/send.ts'
import { Timeline } from '../../components/display/timeline.tsx'
import type { TurnState } from '../../components/display/turn.tsx'
import { ConfirmDialog } from '../../components/feedback/confirm-dialog.tsx'
import { DownloadButton } from '../../components/feedback/download-button.tsx'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { WorkButton } from '../../components/feedback/work-button.tsx'
import { TextAreaField } from '../../components/fields/text-field.tsx'
import { Card } from '../../components/layout/card.tsx'
import { QueryContent } from '../../components/lists/query-content.tsx'
import { texts as shared } from '../../components/texts.ts'
import { messagesQuery, timelineQuery } from '../deals/queries.ts'
import { Composer } from './composer.tsx'
import classes from './deal-timeline.module.css'
import { MessageBody } from './message-body.tsx'
import { useAnnounceMessages, useInitiallyNew, useMessages, useReportSeen } from './use-messages.ts'

const reportTexts = messagesTexts.report
const texts = dealTexts.timeline

export const timelineId = 'timeline'

type DealTimelineProps = {
  dealId: string
  userId: string
  vin: string
  buyerId?: string
  other: string
  turn?: TurnState
}

export const DealTimeline = (props: DealTimelineProps) => (
  <div id={timelineId} tabIndex={-1} className={classes.timeline}>
    <Card title={texts.title}>
      <TimelineContent {...props} />
    </Card>
  </div>
)

/** Shows a deal's events and messages, newest first. */
export function TimelineContent(props: DealTimelineProps) {
  const { userId, vin, buyerId } = props
  const entries = useQuery(timelineQuery(userId, vin, buyerId))
  return (
    <QueryContent from={entries} failed={texts.failed} skeleton="lines" skeletonRows={3}>
      {(all) => <TimelineEntries {...props} events={all} />}
    </QueryContent>
  )
}

type TimelineEntriesProps = DealTimelineProps & { events: readonly TimelineEntry[] }

function TimelineEntries({ dealId, vin, other, turn, events }: TimelineEntriesProps) {
  const { query, messages, isOpen } = useMessages(dealId)
  const initiallyNew = useInitiallyNew(messages ?? [])
  const markShown = useReportSeen(dealId, messages)
  const [reporting, setReporting] = useState<Message | null>(null)
  useAnnounceMessages(messages)
  const messageEntry = (message: Message) => ({
    id: message._id,
    at: message.at,
    person: message.name,
    body: (
      <MessageBody
        message={message}
        wasNew={initiallyNew.has(message._id)}
        onShown={() => markShown(message._id)}
        onReport={() => setReporting(message)}
      />
    ),
  })
  // Older events are not shown yet, because messages that are not loaded may belong between them.
  const oldest = query.hasNextPage ? messages?.[0]?.at : undefined
  const shownEvents = oldest ? events.filter(({ at }) => at >= oldest) : events
  const all = [...(messages ?? []).map(messageEntry), ...shownEvents.map(eventEntry)].sort(compareNewestFirst)
  return (
    <>
      <Timeline label={texts.title} turn={turn} entries={all}>
        {messages && <Composer key={dealId} dealId={dealId} to={other} messages={messages} isOpen={isOpen} />}
        {query.isError && !messages && (
          <ErrorNotice onRetry={() => query.refetch()}>{messagesTexts.failed}</ErrorNotice>
        )}
      </Timeline>
      {messages && messages.length > 0 && (
        <Group gap="sm" mt="lg">
          {query.hasNextPage && (
            <WorkButton variant="default" size="sm" onClick={() => query.fetchNextPage()}>
              {messagesTexts.older}
            </WorkButton>
          )}
          <DownloadButton
            variant="default"
            size="sm"
            fetchFile={() => fetchDocument(exportMessages, { params: { dealId } })}
            name={messagesTexts.file.name(vin)}
            working={messagesTexts.file.saving}
            failed={messagesTexts.file.failed}
          >
            {messagesTexts.file.button}
          </DownloadButton>
        </Group>
      )}
      {reporting && <ReportDialog dealId={dealId} message={reporting} onClose={() => setReporting(null)} />}
    </>
  )
}

/** The sort is stable: events of the same time keep the server's order, newest first. */
const compareNewestFirst = (one: { at: string }, other: { at: string }): number =>
  one.at === other.at ? 0 : one.at < other.at ? 1 : -1

const eventEntry = ({ at, actor, name, event, from, to }: TimelineEntry, index: number) => ({
  id: `${at}-${index}`,
  at,
  person: name ?? texts.actors[actor],
  what: dealTexts.events[event],
  before: from,
  after: to,
})

type ReportDialogProps = { dealId: string; message: Message; onClose: () => void }

/** Reports a message to the administrator. The other side is not notified (R-deals-88). */
function ReportDialog({ dealId, message, onClose }: ReportDialogProps) {
  const [reason, setReason] = useState('')
  const { act } = useEndpointMutation(reportMessage, {
    refresh: [messagesQuery(dealId).queryKey],
    success: reportTexts.sent,
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={reportTexts.title}
      confirm={reportTexts.send}
      blockedBecause={reason.trim() === '' && shared.reasonFirst}
      failed={reportTexts.failed}
      onConfirm={() => act({ params: { dealId, messageId: message._id }, body: { reason } })}
      onClose={onClose}
    >
      <Stack gap="md">
        <p>{reportTexts.lead}</p>
        <TextAreaField
          label={reportTexts.reason}
          value={reason}
          maxLength={maxReasonLength}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      </Stack>
    </ConfirmDialog>
  )
}
