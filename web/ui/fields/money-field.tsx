import { texts } from '../texts.ts'
import classes from './fields.module.css'
import { type NumberFieldProps, WholeNumberField } from './whole-number-field.tsx'

/** Whole dollars in wire form. */
export function MoneyField(props: NumberFieldProps) {
  return (
    <WholeNumberField
      grouped
      leftSection={<span className={classes.unit}>$</span>}
      leftSectionWidth={32}
      leftSectionPointerEvents="none"
      unread={texts.unreadAmount}
      {...props}
    />
  )
}
