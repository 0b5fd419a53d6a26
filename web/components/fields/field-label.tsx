import { texts } from '../texts.ts'
import classes from './fields.module.css'

/** Nearly every field is required, so only the optional ones are marked. */
export function FieldLabel({ text, optional }: { text: string; optional?: boolean }) {
  return optional ? (
    <>
      {text} <span className={classes.optional}>({texts.optional})</span>
    </>
  ) : (
    text
  )
}
