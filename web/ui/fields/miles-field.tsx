import { texts } from '../texts.ts'
import classes from './fields.module.css'
import { type NumberFieldProps, WholeNumberField } from './whole-number-field.tsx'

export const MilesField = (props: NumberFieldProps) => (
  <WholeNumberField
    grouped
    rightSection={<span className={classes.unit}>{texts.miles}</span>}
    rightSectionWidth={64}
    rightSectionPointerEvents="none"
    {...props}
  />
)
