import type { ReactNode } from 'react'
import type { SideName } from '../theme/theme.ts'
import classes from './side.module.css'

/** Tints the toggle and the rail inside for the selling (pine) or the buying (ink) side. */
export const SideTint = ({ side, children }: { side: SideName; children: ReactNode }) => (
  <div className={classes.side} data-side={side}>
    {children}
  </div>
)
