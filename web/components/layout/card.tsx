import { createContext, type ReactNode, use, useState } from 'react'
import { IconChevronRight } from '../icons.tsx'
import classes from './card.module.css'

type CardProps = { title?: string; action?: ReactNode; tight?: boolean; order?: 2 | 3; children?: ReactNode }

const FoldsContext = createContext(false)

/** Cards in here are collapsed behind their titles: details that not everybody wants to read. */
export const Folds = ({ children }: { children: ReactNode }) => (
  <div className={classes.folds}>
    <FoldsContext value={true}>{children}</FoldsContext>
  </div>
)

/** A flat card with a thin border and no shadow. With a title, it is a section of the page. */
export function Card(card: CardProps) {
  const { title, action, tight, order = 2, children } = card
  const Heading = `h${order}` as const
  const Frame = title ? 'section' : 'div'
  if (use(FoldsContext) && title) return <FoldedCard {...card} title={title} />
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

function FoldedCard({ title, action, children }: CardProps & { title: string }) {
  // What was never opened is not fetched; what was typed in here survives closing.
  const [wasOpen, setWasOpen] = useState(false)
  return (
    <details className={classes.fold} onToggle={(event) => event.currentTarget.open && setWasOpen(true)}>
      <summary className={classes.summary}>
        <h2 className={classes.foldTitle}>{title}</h2>
        <IconChevronRight size={18} stroke={1.75} className={classes.mark} />
      </summary>
      {wasOpen && (
        <FoldsContext value={false}>
          <div className={classes.inside}>
            {action && <div>{action}</div>}
            {children}
          </div>
        </FoldsContext>
      )}
    </details>
  )
}
