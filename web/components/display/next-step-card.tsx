import { type ReactNode, type Ref, useEffect, useRef } from 'react'
import { isFocusLost } from '../feedback/focus.ts'
import { IconCheck, IconCircleArrowRight, IconHourglass } from '../icons.tsx'
import { texts } from '../texts.ts'
import classes from './next-step-card.module.css'
import type { TurnState } from './turn.tsx'

type NextStepCardProps = {
  /** Whose turn it is; undefined once nobody has to act in the product. */
  turn?: TurnState
  /** By default, the turn. */
  title?: string
  /** The title takes a lost focus, because the person continues from here. */
  takesFocus?: boolean
  titleRef?: Ref<HTMLHeadingElement>
  children?: ReactNode
  /** The one button, and what else can be done now. */
  actions?: ReactNode
}

/** The card on top of a deal: whose turn it is, until when, and what to do (R-deals-99). */
export function NextStepCard({ turn, title, takesFocus, titleRef, children, actions }: NextStepCardProps) {
  const Icon = turn ? (turn.mine ? IconCircleArrowRight : IconHourglass) : IconCheck
  const shownTitle = title ?? turn?.text
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!takesFocus || !shownTitle) return
    // A dialog that closes now has not given the focus back yet.
    const frame = requestAnimationFrame(
      () => isFocusLost() && heading.current?.focus({ preventScroll: true }),
    )
    return () => cancelAnimationFrame(frame)
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
          {turn && turn.text !== shownTitle ? turn.text : texts.nextStep}
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
