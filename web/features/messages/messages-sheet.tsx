import type { Person } from '@keyturn/contract/accounts/endpoints.ts'
import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { exportMessages, type Message, reportMessage } from '@keyturn/contract/messages/endpoints.ts'
import { firstNameOf, groupByDay, maxReasonLength } from '@keyturn/contract/messages/rules.ts'
import { messagesTexts as texts } from '@keyturn/contract/messages/texts.ts'
import { formatDay } from '@keyturn/contract/shared/dates.ts'
import { Stack } from '@mantine/core'
import { useLayoutEffect, useRef, useState } from 'react'
import { useEndpointMutation } from '../../api/mutations/use-endpoint-mutation.ts'
import { fetchDocument } from '../../api/send.ts'
import { ConfirmDialog } from '../../components/feedback/confirm-dialog.tsx'
import { DownloadButton } from '../../components/feedback/download-button.tsx'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { isFocusLost } from '../../components/feedback/focus.ts'
import { Sheet } from '../../components/feedback/sheet.tsx'
import { WorkButton } from '../../components/feedback/work-button.tsx'
import { TextAreaField } from '../../components/fields/text-field.tsx'
import { texts as shared } from '../../components/texts.ts'
import { messagesQuery } from '../deals/queries.ts'
import { Composer } from './composer.tsx'
import { MessageBody } from './message-body.tsx'
import classes from './messages.module.css'
import { useAnnounceMessages, useInitiallyNew, useMessages, useReportSeen } from './use-messages.ts'

export type MessagesSheetProps = {
  dealId: string
  vin: string
  other: Pick<Person, 'firstName' | 'lastName'>
  /** Why the messages cannot be shown any more. */
  gone?: string | false
  /** Announces new messages, where no button on the page does. */
  announces?: boolean
  onClose: () => void
}

/** The messages of a deal: one's own on the right, the other party's on the left, newest last. */
export function MessagesSheet({ dealId, vin, other, gone, announces, onClose }: MessagesSheetProps) {
  const { query, messages, isOpen, isPaused } = useMessages(dealId)
  const name = fullName(other)
  const [reporting, setReporting] = useState<Message | null>(null)
  useAnnounceMessages(announces ? messages : null)
  return (
    <Sheet title={texts.title(name)} isBelowDialog={reporting !== null} onClose={onClose}>
      {gone ? (
        <div className={classes.notice}>
          <ErrorNotice>{gone}</ErrorNotice>
        </div>
      ) : (
        <Conversation
          dealId={dealId}
          vin={vin}
          other={other}
          messages={messages}
          query={query}
          onReport={setReporting}
        />
      )}
      {messages && (
        <Composer
          key={dealId}
          dealId={dealId}
          to={name}
          messages={messages}
          isOpen={isOpen && !gone}
          isPaused={isPaused}
        />
      )}
      {reporting && <ReportDialog dealId={dealId} message={reporting} onClose={() => setReporting(null)} />}
    </Sheet>
  )
}

type ConversationProps = Pick<MessagesSheetProps, 'dealId' | 'vin' | 'other'> &
  Pick<ReturnType<typeof useMessages>, 'query' | 'messages'> & { onReport: (message: Message) => void }

function Conversation({ dealId, vin, other, messages, query, onReport }: ConversationProps) {
  const initiallyNew = useInitiallyNew(messages ?? [])
  const markShown = useReportSeen(dealId, messages)
  const log = useScrollPosition(messages)
  const showOlder = async () => {
    await query.fetchNextPage()
    // The button goes with the last page.
    requestAnimationFrame(() => isFocusLost() && log.current?.focus({ preventScroll: true }))
  }
  return (
    // New messages are announced by `useAnnounceMessages`, which leaves out older ones.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached with the keyboard
    <div ref={log} className={classes.log} role="log" aria-live="off" aria-label={texts.log} tabIndex={0}>
      {query.isError && !messages && (
        <ErrorNotice onRetry={() => query.refetch()}>{texts.failed}</ErrorNotice>
      )}
      {messages && messages.length > 0 && (
        <div className={classes.top}>
          {query.hasNextPage && (
            <WorkButton variant="default" size="sm" onClick={showOlder}>
              {texts.older}
            </WorkButton>
          )}
          <DownloadButton
            variant="subtle"
            size="sm"
            fetchFile={() => fetchDocument(exportMessages, { params: { dealId } })}
            name={texts.file.name(vin)}
            working={texts.file.saving}
            failed={texts.file.failed}
          >
            {texts.file.button}
          </DownloadButton>
        </div>
      )}
      {messages?.length === 0 && <p className={classes.empty}>{texts.none(firstNameOf(other))}</p>}
      {groupByDay(messages ?? [], formatDay).map(({ day, messages: ofDay }) => (
        <section key={day} aria-label={day}>
          <p className={classes.day} aria-hidden="true">
            {day}
          </p>
          <ol className={classes.messages}>
            {ofDay.map((message, at) => (
              <MessageBody
                key={message._id}
                message={message}
                isLastOfRun={ofDay[at + 1]?.isMine !== message.isMine}
                wasNew={initiallyNew.has(message._id)}
                onShown={() => markShown(message._id)}
                onReport={() => onReport(message)}
              />
            ))}
          </ol>
        </section>
      ))}
    </div>
  )
}

/** How far from its end a list still counts as read to the end. */
const nearEndPx = 120

/**
 * Opens at the first new message, or at the end. Stays at the end when messages arrive there, and
 * at the same message when older ones are added above it.
 */
function useScrollPosition(messages: readonly Message[] | null) {
  const log = useRef<HTMLDivElement>(null)
  const last = useRef<{ first?: string; end?: string; height: number }>(undefined)
  const first = messages?.[0]?._id
  const end = messages?.at(-1)
  const endId = end?._id
  const isEndMine = end?.isMine === true
  useLayoutEffect(() => {
    const list = log.current
    if (!list || !endId) return
    const { scrollHeight: height, clientHeight } = list
    const before = last.current
    const wasNearEnd = before && before.height - list.scrollTop - clientHeight < nearEndPx
    if (!before) {
      list.scrollTop = height
      list.querySelector('[data-new]')?.scrollIntoView({ block: 'start' })
    } else if (before.end !== endId && (isEndMine || wasNearEnd)) list.scrollTop = height
    else if (before.first !== first) list.scrollTop += height - before.height
    last.current = { first, end: endId, height }
  }, [first, endId, isEndMine])
  return log
}

const reportTexts = texts.report

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
