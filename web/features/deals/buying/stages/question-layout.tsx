import { buyingTexts } from '@keyturn/contract/deals/buying-texts.ts'
import { type FormEvent, type ReactNode, use, useEffect, useRef, useState } from 'react'
import { NextStepCard } from '../../../../components/display/next-step-card.tsx'
import type { TurnState } from '../../../../components/display/turn.tsx'
import { ErrorNotice } from '../../../../components/feedback/error-notice.tsx'
import { isFocusLost, ShownContext } from '../../../../components/feedback/focus.ts'
import { useScrollToNewContent } from '../../../../components/feedback/use-scroll-to-new-content.ts'
import { WorkButton } from '../../../../components/feedback/work-button.tsx'
import { BottomBar } from '../../bottom-bar.tsx'
import classes from './question-layout.module.css'
import type { StageMoves, UnsavedAnswers } from './use-stage-moves.ts'

type QuestionProps = {
  title: string
  lead?: ReactNode
  /**
   * If it returns a promise, the primary button shows that it is working until the promise settles.
   */
  onSubmit?: (event: FormEvent<HTMLFormElement>) => unknown
  primary?: {
    label: string
    working?: string
    disabled?: boolean
    blockedBecause?: string | false
    busy?: boolean
  }
  moves: StageMoves
  /** Disables the Back button. */
  isHeld?: boolean
  /** Shown right above the buttons. */
  trouble?: ReactNode
  /** Shows the question and its buttons as the deal's next step, with whose turn it is. */
  turn?: TurnState
  /** Shown below the lead of a next step. */
  details?: ReactNode
  children?: ReactNode
}

/** A screen with one question. On a phone, its buttons stay at the bottom edge. */
export function QuestionLayout(props: QuestionProps) {
  const { title, lead, primary, moves, isHeld, turn, details } = props
  const heading = useFocusOnNewQuestion(title)
  const trouble = useScrollToNewContent<HTMLDivElement>()
  const [isSending, submit] = useSubmit(props.onSubmit)
  const buttons = (
    <>
      <div ref={trouble} className={classes.trouble}>
        {props.trouble}
        <SaveErrorNotice unsaved={moves.unsaved} />
      </div>
      {(primary || moves.moveBack || isHeld) && (
        <BottomBar
          back={
            (moves.moveBack || isHeld) && (
              <WorkButton variant="default" onClick={moves.moveBack} disabled={isHeld}>
                {buyingTexts.back}
              </WorkButton>
            )
          }
          primary={
            primary && (
              <WorkButton
                type="submit"
                disabled={primary.disabled}
                blockedBecause={primary.blockedBecause}
                working={primary.working}
                busy={primary.busy || isSending}
              >
                {primary.label}
              </WorkButton>
            )
          }
        />
      )}
    </>
  )
  return (
    <form className={classes.question} onSubmit={submit} noValidate>
      {turn ? (
        <NextStepCard turn={turn} title={title} titleRef={heading} actions={buttons}>
          {lead && <p>{lead}</p>}
          {details}
        </NextStepCard>
      ) : (
        <div className={classes.top}>
          <h2 ref={heading} tabIndex={-1} className={classes.title}>
            {title}
          </h2>
          {lead && <div className={classes.lead}>{lead}</div>}
        </div>
      )}
      {props.children}
      {!turn && buttons}
    </form>
  )
}

/** Reports that an answer could not be saved. The typed values stay (R-deals-13). */
export const SaveErrorNotice = ({ unsaved }: { unsaved: UnsavedAnswers | null }) =>
  unsaved && (
    <ErrorNotice title={buyingTexts.saveFailed} onRetry={() => void unsaved.retry()}>
      {unsaved.error.message}
    </ErrorNotice>
  )

function useSubmit(onSubmit: QuestionProps['onSubmit']) {
  const [isSending, setSending] = useState(false)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isSending) return
    const result = onSubmit?.(event)
    if (!(result instanceof Promise)) return
    setSending(true)
    void result.finally(() => setSending(false))
  }
  return [isSending, submit] as const
}

/** Focuses each question after the first, which gets its focus from the page. */
function useFocusOnNewQuestion(title: string) {
  const heading = useRef<HTMLHeadingElement>(null)
  const isShown = use(ShownContext)
  const focusedTitle = useRef<string | null>(null)
  useEffect(() => {
    if (focusedTitle.current === title) return
    const isFirst = focusedTitle.current === null
    focusedTitle.current = title
    // The button of the previous question had the focus and is gone. Any other focus is left alone.
    if (isFirst && !(isShown.current && isFocusLost())) return
    heading.current?.focus({ preventScroll: true })
    heading.current?.scrollIntoView({ block: 'nearest' })
  }, [title, isShown])
  return heading
}
