import type { ReactNode } from 'react'
import classes from './floating.module.css'

/** At the lower edge, above the page and below every dialog; takes no room, so nothing moves when it comes and goes. */
export const Floating = ({ children }: { children: ReactNode }) => (
  <div className={classes.place}>
    <div className={classes.card}>{children}</div>
  </div>
)
