import type { ReactNode } from 'react'
import classes from './empty.module.css'
import { Picture, type PictureName } from './picture.tsx'

type EmptyProps = { text: string; action?: ReactNode; picture?: PictureName }

export function Empty({ text, action, picture = 'papers' }: EmptyProps) {
  return (
    <div className={classes.empty}>
      <Picture name={picture} className={classes.picture} />
      <p className={classes.text}>{text}</p>
      {action}
    </div>
  )
}
