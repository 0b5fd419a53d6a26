import { type ReactNode, type Ref, useEffect, useRef } from 'react'
import { IconCheck, IconCircleArrowRight, IconHourglass } from '../icons.tsx'
import { texts } from '../texts.ts'
import classes from './next-step-card.module.css'
import type { TurnState } from './turn.tsx'

type NextStepCardProps = {
  /** Whose turn it is; undefined once nobody has to act in the product. */
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

/** The card on top of a deal: whose turn it is, until when, and what to do (R-deals-99). */
export function NextStepCard({ turn, title, takesFocus, titleRef, children, actions }: NextStepCardProps) {
  const Icon = turn ? (turn.mine ? IconCircleArrowRight : IconHourglass) : IconCheck
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (takesFocus && title) heading.current?.focus({ preventScroll: true })
  }, [takesFocus, title])
  return (
    <section
      className={classes.card}
      aria-label={texts.nextStep}
      data-turn={turn ? (turn.mine ? 'mine' : 'theirs') : 'over'}
    >
      <p className={classes.eyebrow} role="status">
        <Icon size={18} stroke={1.75} />
        {turn && title ? turn.text : texts.nextStep}
      </p>
      <h2 ref={titleRef ?? heading} tabIndex={-1} className={classes.title}>
        {title ?? turn?.text}
      </h2>
      {children && <div className={classes.body}>{children}</div>}
      {actions}
    </section>
  )
}
