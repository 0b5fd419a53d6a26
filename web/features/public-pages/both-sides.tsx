import type { Side } from '@keyturn/contract/shared/pages.ts'
import type { ReactNode } from 'react'
import classes from './both-sides.module.css'

export const sides = ['selling', 'buying'] as const satisfies readonly Side[]

/** Renders the content of both sides. The style sheet shows the chosen one, without a script. */
export const BothSides = ({ children }: { children: (side: Side) => ReactNode }) =>
  sides.map((side) => (
    <div key={side} className={classes.ofSide} data-of={side}>
      {children(side)}
    </div>
  ))
