import type { TextInputProps } from '@mantine/core'
import { TextField } from './text-field.tsx'

type FieldProps = Omit<TextInputProps, 'label'> & { label: string; optional?: boolean }

export const EmailField = (props: FieldProps) => (
  <TextField
    type="email"
    inputMode="email"
    autoComplete="email"
    autoCapitalize="none"
    spellCheck={false}
    {...props}
  />
)

export const PhoneField = (props: FieldProps) => (
  <TextField type="tel" inputMode="tel" autoComplete="tel" {...props} />
)

/** A text field, because a ZIP code may begin with zero. */
export const ZipField = (props: FieldProps) => (
  <TextField inputMode="numeric" autoComplete="postal-code" {...props} />
)
