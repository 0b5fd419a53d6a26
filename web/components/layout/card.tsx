import type { ReactNode } from 'react'
import classes from './card.module.css'

type CardProps = { title?: string; action?: ReactNode; tight?: boolean; order?: 2 | 3; children?: ReactNode }

/** A flat card with a thin border and no shadow. With a title, it is a section of the page. */
export function Card({ title, action, tight, order = 2, children }: CardProps) {
  const Heading = `h${order}` as const
  const Frame = title ? 'section' : 'div'
  return (
    <Frame className={classes.card} data-tight={tight}>
      {(title || action) && (
        <div className={classes.top}>
          {title && <Heading className={classes.title}>{title}</Heading>}
          {action}
        </div>
      )}
      {children}
    </Frame>
  )
}
