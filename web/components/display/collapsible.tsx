import { type ReactNode, useState } from 'react'
import { IconChevronRight } from '../icons.tsx'
import classes from './collapsible.module.css'

type FoldProps = {
  title: string
  isOpen?: boolean
  /** Rendered only while open, so that unseen content is not fetched. */
  children: ReactNode
}

/** Details that not everybody wants to read, collapsed behind a title. */
export function Collapsible({ title, isOpen = false, children }: FoldProps) {
  const [open, setOpen] = useState(isOpen)
  return (
    <details className={classes.fold} open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={classes.title}>
        <IconChevronRight size={18} stroke={1.75} className={classes.mark} />
        {title}
      </summary>
      {open && <div className={classes.inside}>{children}</div>}
    </details>
  )
}
