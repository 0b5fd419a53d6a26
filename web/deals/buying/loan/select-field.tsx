import { NativeSelect, type NativeSelectProps } from '@mantine/core'
import { FieldLabel } from '../../../ui/fields/field-label.tsx'

type SelectFieldProps = Omit<NativeSelectProps, 'label' | 'data'> & {
  label: string
  optional?: boolean
  options: readonly { value: string; label: string }[]
}

/** The system's own list: nothing is better on a phone. */
export function SelectField({ label, optional, options, ...rest }: SelectFieldProps) {
  return (
    <NativeSelect {...rest} label={<FieldLabel text={label} optional={optional} />} data={[...options]} />
  )
}
