import { suspensionTexts } from '@keyturn/contract/accounts/suspension-texts.ts'
import { type Message, messageText, sendMessage } from '@keyturn/contract/messages/endpoints.ts'
import { maxMessageLength } from '@keyturn/contract/messages/rules.ts'
import { messagesTexts as texts } from '@keyturn/contract/messages/texts.ts'
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

/** The number of remaining characters is shown below this count. */
const showRemainingBelow = 200
const announcedCounts = [showRemainingBelow, 100, 50, 20, 10, 0]

type ComposerProps = {
  dealId: string
  to: string
  messages: readonly Message[]
  isOpen: boolean
  isPaused: boolean
}

/**
 * A field for writing a message. The text stays until the server has stored it, even if the page
 * changes.
 */
export function Composer({ dealId, to, messages, isOpen, isPaused }: ComposerProps) {
  const [fault, setFault] = useState<string | null>(null)
  const [isSent, showSent] = useBriefly(4000)
  const field = useRef<HTMLTextAreaElement>(null)
  const send = useEndpointMutation(sendMessage, { refresh: [messagesQuery(dealId).queryKey] })
  const { text, setText, sentAfter, setSentAfter } = useMessageDraft(dealId)
  const last = messages.findLast(({ isMine }) => isMine)

  // Changes when the message arrives in the list, so that a later response is ignored.
  const attempt = useRef(0)
  const closedSentence = isPaused ? suspensionTexts.paused.messages : texts.closed
  const dealEnd = useDealEndFocus(isOpen, closedSentence)
  const finishSending = () => {
    attempt.current++
    setText('')
    setSentAfter(null)
    send.settle()
    showSent()
    announce(texts.sent)
    dealEnd.keepFocus(field.current)
  }
  const submit = async (event?: FormEvent) => {
    event?.preventDefault()
    if (send.isWorking) return
    const read = messageText.safeParse(text)
    setFault(read.error?.issues[0]?.message ?? null)
    if (!read.success) return field.current?.focus()
    const ownAttempt = ++attempt.current
    // Keeps the value of the first attempt, which may have reached the server.
    if (sentAfter === null) setSentAfter(last?._id ?? '')
    const response = await send.attempt({ params: { dealId }, body: { text: read.data } })
    if (attempt.current !== ownAttempt) return
    if (response) finishSending()
    else dealEnd.keepFocus(field.current)
  }
  const sendByKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit()
  }
  const changeText = (typed: string) => {
    const [before, after] = [text, typed].map((one) => maxMessageLength - one.trim().length) as [
      number,
      number,
    ]
    if (announcedCounts.some((mark) => after <= mark && before > mark)) announce(remainingText(after))
    setText(typed)
    setFault(null)
    if (!send.isUnanswered) setSentAfter(null)
  }

  // The message is in the list although its response was lost.
  const hasArrived =
    sentAfter !== null && last !== undefined && last._id !== sentAfter && last.text === text.trim()
  const treatAsSent = useEffectEvent(finishSending)
  useEffect(() => {
    if (hasArrived) treatAsSent()
  }, [hasArrived])

  const closedNotice = (
    <p ref={dealEnd.place} tabIndex={-1} className={classes.over}>
      {closedSentence}
    </p>
  )
  if (!isOpen && !text)
    return (isPaused || messages.length > 0) && <div className={classes.composer}>{closedNotice}</div>
  const remaining = maxMessageLength - text.trim().length
  return (
    <form {...dealEnd.formProps} onSubmit={submit} className={classes.composer}>
      {!isOpen && closedNotice}
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
        className={classes.field}
        minRows={1}
        maxRows={6}
        data-autofocus={canFocusField || undefined}
        value={text}
        readOnly={send.isWorking || !isOpen}
        error={fault}
        onChange={(event) => changeText(event.currentTarget.value)}
        onKeyDown={sendByKey}
      />
      {isOpen && (
        <WorkButton type="submit" busy={send.isWorking} working={texts.sending}>
          {texts.send}
        </WorkButton>
      )}
      {isOpen && (isSent || remaining <= showRemainingBelow) && (
        <p className={classes.foot}>{isSent ? texts.sent : remainingText(remaining)}</p>
      )}
      {isOpen && send.error && !send.isWorking && !hasArrived && (
        <div className={classes.whole}>
          <ErrorNotice title={texts.notSent} onRetry={() => submit()}>
            {send.error.message}
          </ErrorNotice>
        </div>
      )}
    </form>
  )
}

export const messageDraft = (dealId: string) => `message ${dealId}`

/** On a phone, focusing the field would cover the messages with the keyboard. */
const canFocusField = typeof matchMedia !== 'undefined' && matchMedia('(pointer: fine)').matches

const remainingText = (left: number) => (left < 0 ? texts.over(-left) : texts.left(left))

/** Keeps an unsent message until the person returns. */
function useMessageDraft(dealId: string) {
  const [text, setText] = useState('')
  /**
   * The id of the person's last message before sending; empty if there was none. A later message
   * with the same text is the one being sent.
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
    messageDraft(dealId),
    { survivesLeaving: true },
  )
  return { text, setText, sentAfter, setSentAfter }
}

/** If the deal ends or pauses while the person is writing, moves the focus to the notice about it. */
function useDealEndFocus(isOpen: boolean, closedSentence: string) {
  const notice = useRef<HTMLParagraphElement>(null)
  const isWithin = useRef(false)
  const wasOpen = useRef(isOpen)
  const announceEnd = useEffectEvent(() => announce(closedSentence))
  useEffect(() => {
    if (wasOpen.current && !isOpen) {
      announceEnd()
      if (isWithin.current && isFocusLost()) notice.current?.focus({ preventScroll: true })
    }
    wasOpen.current = isOpen
  }, [isOpen])
  return {
    place: notice,
    /**
     * Tracks the focus with events, because React fires no blur when the focused element is
     * removed.
     */
    formProps: {
      onFocus: () => {
        isWithin.current = true
      },
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
        isWithin.current = currentTarget.contains(relatedTarget)
      },
    },
    /** Focuses the field again, unless the person has moved the focus elsewhere. */
    keepFocus: (field: HTMLElement | null) => {
      if (isWithin.current || isFocusLost()) field?.focus()
    },
  }
}
