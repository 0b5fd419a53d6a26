import type { ReactNode } from 'react'
import classes from './bottom-bar.module.css'

type BottomBarProps = { back?: ReactNode; secondary?: ReactNode; primary?: ReactNode }

/** A screen's buttons. On a phone, they stay at the bottom edge. */
export const BottomBar = ({ back, secondary, primary }: BottomBarProps) => (
  <div className={classes.bar} data-print="hide">
    {back}
    <span className={classes.gap} />
    {secondary}
    {primary && <div className={classes.primary}>{primary}</div>}
  </div>
)
