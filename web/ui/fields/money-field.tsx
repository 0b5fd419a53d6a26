import classes from './fields.module.css'
import { type NumberFieldProps, WholeNumberField } from './whole-number-field.tsx'

/** Dollars in wire form: a whole number, or with cents if `withCents` is set. */
export function MoneyField({ withCents, ...props }: NumberFieldProps & { withCents?: boolean }) {
  return (
    <WholeNumberField
      grouped
      inputMode={withCents ? 'decimal' : 'numeric'}
      leftSection={<span className={classes.unit}>$</span>}
      leftSectionWidth={32}
      leftSectionPointerEvents="none"
      {...props}
    />
  )
}
