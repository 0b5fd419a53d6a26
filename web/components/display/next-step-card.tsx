import { type ReactNode, type Ref, useEffect, useRef } from 'react'
import { IconCheck, IconCircleArrowRight, IconHourglass } from '../icons.tsx'
import { texts } from '../texts.ts'
import classes from './next-step-card.module.css'
import type { TurnState } from './turn.tsx'

type NextStepCardProps = {
  /** Whose turn it is; undefined once the deal is complete. */
  turn?: TurnState
  /** By default, the turn. */
  title?: string
  /** The title takes the focus, because the person continues from here. */
  takesFocus?: boolean
  titleRef?: Ref<HTMLHeadingElement>
  children?: ReactNode
  /** The one button, and what else can be done now. */
  actions?: ReactNode
}

/** Longer than a dialog takes to disappear. */
const dialogExitMs = 250

/** The card on top of a deal: whose turn it is, until when, and what to do (R-deals-99). */
export function NextStepCard({ turn, title, takesFocus, titleRef, children, actions }: NextStepCardProps) {
  const Icon = turn ? (turn.mine ? IconCircleArrowRight : IconHourglass) : IconCheck
  const shownTitle = title ?? turn?.text
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!takesFocus || !shownTitle) return
    // A dialog that stays open keeps the focus; the one that led here is closing.
    const timer = setTimeout(() => {
      if (!document.querySelector('[role="dialog"]')) heading.current?.focus({ preventScroll: true })
    }, dialogExitMs)
    return () => clearTimeout(timer)
  }, [takesFocus, shownTitle])
  if (!shownTitle) return null
  return (
    <section
      className={classes.card}
      aria-label={texts.nextStep}
      data-turn={turn ? (turn.mine ? 'mine' : 'theirs') : 'over'}
    >
      <div role="status">
        <p className={classes.eyebrow}>
          <Icon size={18} stroke={1.75} />
          {turn ? (turn.text === shownTitle ? texts.nextStep : turn.text) : texts.status.COMPLETED}
        </p>
        <h2 ref={titleRef ?? heading} tabIndex={-1} className={classes.title}>
          {shownTitle}
        </h2>
      </div>
      {children && <div className={classes.body}>{children}</div>}
      {actions}
    </section>
  )
}
