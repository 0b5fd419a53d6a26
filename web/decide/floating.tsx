import type { ReactNode } from 'react'
import classes from './floating.module.css'

type FloatingProps = {
  /** Gone, it leaves its room behind. */
  isGone?: boolean
  children: ReactNode
}

/**
 * At the lower edge, above the page and below every dialog. Its room is after the page's end: nothing moves, and
 * everything can be scrolled free of it.
 */
export const Floating = ({ isGone, children }: FloatingProps) => (
  <div className={classes.place} data-gone={isGone || undefined}>
    <div className={classes.card}>{children}</div>
  </div>
)
