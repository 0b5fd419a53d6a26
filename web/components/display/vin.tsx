import { Fragment } from 'react'
import classes from './vin.module.css'

/** Grouped 3-6-8 only by margins, so that it is still copied, searched and read as one word. */
export function Vin({ value }: { value: string }) {
  const groups = [value.slice(0, 3), value.slice(3, 9), value.slice(9)].filter(Boolean)
  return (
    <span className={classes.vin} translate="no">
      {groups.map((group, place) => (
        <Fragment key={group}>
          {place > 0 && <wbr />}
          <span className={classes.group}>{group}</span>
        </Fragment>
      ))}
    </span>
  )
}
