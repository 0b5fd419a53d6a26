import type { ReactNode } from 'react'
import classes from './entry-list.module.css'

/** A list of short texts, each with its actions beside or, on a phone, below it. */
export const EntryList = ({ children }: { children: ReactNode }) => (
  <ul className={classes.list}>{children}</ul>
)

type EntryProps = { children: ReactNode; actions?: ReactNode }

export const Entry = ({ children, actions }: EntryProps) => (
  <li className={classes.entry}>
    <div className={classes.words}>{children}</div>
    {actions}
  </li>
)
