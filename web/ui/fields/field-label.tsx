import { texts } from '../texts.ts'
import classes from './fields.module.css'

/** Nearly every field is asked for, so the few that are not say so. */
export function FieldLabel({ text, optional }: { text: string; optional?: boolean }) {
  return optional ? (
    <>
      {text} <span className={classes.optional}>({texts.optional})</span>
    </>
  ) : (
    text
  )
}
