import type { TextInputProps } from '@mantine/core'
import classes from './fields.module.css'
import { useNumberText } from './number-text.ts'
import { TextField } from './text-field.tsx'

export type NumberFieldProps = Omit<TextInputProps, 'label' | 'onChange' | 'value'> & {
  label: string
  optional?: boolean
  value?: number | '' | null
  /** A number, or '' if there is none. */
  onChange?: (value: number | '') => void
}

/** A year or a mileage. `grouped` separates thousands while the field is not being edited. */
export function WholeNumberField({ grouped = false, ...props }: NumberFieldProps & { grouped?: boolean }) {
  const { value, onChange, onBlur, ...rest } = props
  const reading = useNumberText({ value, onChange }, grouped)
  return (
    <TextField
      inputMode="numeric"
      autoComplete="off"
      {...rest}
      classNames={{ input: classes.digits }}
      value={reading.text}
      onChange={(event) => reading.write(event.currentTarget.value)}
      onBlur={(event) => {
        reading.leave()
        onBlur?.(event)
      }}
    />
  )
}
