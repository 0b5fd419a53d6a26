import { IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './fold.module.css'

type FoldProps = { title: string; open?: boolean; onOpen?: () => void; children: ReactNode }

/** What only some want to read, behind its title. */
export function Fold({ title, open, onOpen, children }: FoldProps) {
  return (
    <details
      className={classes.fold}
      open={open}
      onToggle={(event) => event.currentTarget.open && onOpen?.()}
    >
      <summary className={classes.title}>
        <IconChevronRight size={18} stroke={1.75} aria-hidden className={classes.mark} />
        {title}
      </summary>
      <div className={classes.inside}>{children}</div>
    </details>
  )
}
