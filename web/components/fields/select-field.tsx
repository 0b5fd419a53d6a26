import { NativeSelect, type NativeSelectProps } from '@mantine/core'
import { FieldLabel } from './field-label.tsx'

type SelectFieldProps = Omit<NativeSelectProps, 'label' | 'data'> & {
  label: string
  optional?: boolean
  options: readonly { value: string; label: string }[]
}

/** A native select, because it works best on phones. */
export function SelectField({ label, optional, options, ...rest }: SelectFieldProps) {
  return (
    <NativeSelect {...rest} label={<FieldLabel text={label} optional={optional} />} data={[...options]} />
  )
}
