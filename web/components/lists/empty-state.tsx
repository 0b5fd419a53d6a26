import type { ReactNode } from 'react'
import classes from './empty-state.module.css'
import { Illustration, type IllustrationName } from './illustration.tsx'

type EmptyProps = { text: string; action?: ReactNode; picture?: IllustrationName }

export function EmptyState({ text, action, picture = 'papers' }: EmptyProps) {
  return (
    <div className={classes.empty}>
      <Illustration name={picture} className={classes.picture} />
      <p className={classes.text}>{text}</p>
      {action}
    </div>
  )
}
