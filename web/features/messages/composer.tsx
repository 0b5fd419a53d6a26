import { type Message, messageText, sendMessage } from '@keyturn/contract/messages/endpoints.ts'
import { maxMessageLength } from '@keyturn/contract/messages/rules.ts'
import { messagesTexts as texts } from '@keyturn/contract/messages/texts.ts'
import { Text } from '@mantine/core'
import {
  type FocusEvent,
  type FormEvent,
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { useEndpointMutation } from '../../api/mutations/use-endpoint-mutation.ts'
import { useDraft } from '../../auth/use-draft.ts'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { isFocusLost } from '../../components/feedback/focus.ts'
import { announce, useBriefly } from '../../components/feedback/notice.tsx'
import { WorkButton } from '../../components/feedback/work-button.tsx'
import { TextAreaField } from '../../components/fields/text-field.tsx'
import { messagesQuery } from '../deals/queries.ts'
import classes from './messages.module.css'

/** Below this, the remaining characters are shown, and announced only at certain counts. */
const nearlyFull = 200
const saidAt = [nearlyFull, 100, 50, 20, 10, 0]

type ComposerProps = { dealId: string; to: string; messages: readonly Message[]; isOpen: boolean }

/**
 * Writes a message. The text stays in the field until the server has stored it, even when the page
 * changes.
 */
export function Composer({ dealId, to, messages, isOpen }: ComposerProps) {
  const [fault, setFault] = useState<string | null>(null)
  const [isSent, showSent] = useBriefly(4000)
  const field = useRef<HTMLTextAreaElement>(null)
  const send = useEndpointMutation(sendMessage, { refresh: [messagesQuery(dealId).queryKey] })
  const { text, setText, sentAfter, setSentAfter } = useComposed(dealId)
  const last = messages.findLast(({ isMine }) => isMine)

  // A late response is ignored once the page has the message or the text has changed.
  const turn = useRef(0)
  const end = useEndOfDeal(isOpen)
  const done = () => {
    turn.current++
    setText('')
    setSentAfter(null)
    send.settle()
    showSent()
    announce(texts.sent)
    end.keepFocus(field.current)
  }
  const submit = async (event?: FormEvent) => {
    event?.preventDefault()
    if (send.isWorking) return
    const read = messageText.safeParse(text)
    setFault(read.error?.issues[0]?.message ?? null)
    if (!read.success) return field.current?.focus()
    const mine = ++turn.current
    // A retry, because the first attempt may have arrived.
    if (sentAfter === null) setSentAfter(last?._id ?? '')
    const answer = await send.attempt({ params: { dealId }, body: { text: read.data } })
    if (turn.current !== mine) return
    if (answer) done()
    else end.keepFocus(field.current)
  }
  const sendByKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit()
  }
  const type = (typed: string) => {
    const [before, after] = [text, typed].map((one) => maxMessageLength - one.trim().length) as [
      number,
      number,
    ]
    if (saidAt.some((mark) => after <= mark && before > mark)) announce(leftOf(after))
    setText(typed)
    setFault(null)
    if (!send.isUnanswered) setSentAfter(null)
  }

  // The message arrived although its response was lost, so no error is shown.
  const hasArrived =
    sentAfter !== null && last !== undefined && last._id !== sentAfter && last.text === text.trim()
  const takeAsSent = useEffectEvent(done)
  useEffect(() => {
    if (hasArrived) takeAsSent()
  }, [hasArrived])

  const closed = (
    <p ref={end.place} tabIndex={-1} className={classes.over}>
      {texts.closed}
    </p>
  )
  if (!isOpen && !text) return messages.length > 0 && closed
  const left = maxMessageLength - text.trim().length
  return (
    <form {...end.watched} onSubmit={submit} className={classes.composer}>
      {!isOpen && closed}
      <TextAreaField
        ref={field}
        label={texts.label(to)}
        description={
          isOpen ? (
            <>
              {texts.notSigned} <span className={classes.keys}>{texts.keys}</span>
            </>
          ) : (
            texts.keptUnsent
          )
        }
        minRows={2}
        value={text}
        readOnly={send.isWorking || !isOpen}
        error={fault}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={sendByKey}
      />
      {isOpen && (
        <div className={classes.foot}>
          <Text size="sm" c="dimmed">
            {isSent ? texts.sent : left <= nearlyFull ? leftOf(left) : ''}
          </Text>
          <WorkButton type="submit" variant="light" size="sm" busy={send.isWorking} working={texts.sending}>
            {texts.send}
          </WorkButton>
        </div>
      )}
      {isOpen && send.error && !send.isWorking && !hasArrived && (
        <ErrorNotice title={texts.notSent} onRetry={() => submit()}>
          {send.error.message}
        </ErrorNotice>
      )}
    </form>
  )
}

const leftOf = (left: number) => (left < 0 ? texts.over(-left) : texts.left(left))

/**
 * The draft message and the last message at the time of sending; restored when the person returns.
 */
function useComposed(dealId: string) {
  const [text, setText] = useState('')
  /**
   * The person's last message before sending; a later one with the same text is this one. Empty:
   * there was none.
   */
  const [sentAfter, setSentAfter] = useState<string | null>(null)
  useDraft<{ text: string; sentAfter: string | null }>(
    {
      getValues: () => ({ text, sentAfter }),
      setValues: (kept) => {
        setText(kept.text ?? '')
        setSentAfter(kept.sentAfter ?? null)
      },
      isDirty: () => text !== '',
    },
    `message ${dealId}`,
    { survivesLeaving: true },
  )
  return { text, setText, sentAfter, setSentAfter }
}

/** Moves the focus to the end notice when a deal ends while the person is writing. */
function useEndOfDeal(isOpen: boolean) {
  const place = useRef<HTMLParagraphElement>(null)
  const isWithin = useRef(false)
  const wasOpen = useRef(isOpen)
  useEffect(() => {
    if (wasOpen.current && !isOpen) {
      announce(texts.closed)
      if (isWithin.current && isFocusLost()) place.current?.focus({ preventScroll: true })
    }
    wasOpen.current = isOpen
  }, [isOpen])
  return {
    place,
    /** Attached to the form, because React fires no event for a removed element with the focus. */
    watched: {
      onFocus: () => {
        isWithin.current = true
      },
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
        isWithin.current = currentTarget.contains(relatedTarget)
      },
    },
    /** Keeps the focus only if it has not moved elsewhere. */
    keepFocus: (field: HTMLElement | null) => {
      if (isWithin.current || isFocusLost()) field?.focus()
    },
  }
}
