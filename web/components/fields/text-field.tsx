import { Textarea, type TextareaProps, TextInput, type TextInputProps } from '@mantine/core'
import { FieldLabel } from './field-label.tsx'

type Optional = { label: string; optional?: boolean }

export function TextField({ label, optional, ...rest }: Omit<TextInputProps, 'label'> & Optional) {
  return <TextInput {...rest} label={<FieldLabel text={label} optional={optional} />} />
}

type TextAreaProps = Omit<TextareaProps, 'label'> & Optional

export function TextAreaField({ label, optional, onFocus, ...rest }: TextAreaProps) {
  return (
    <Textarea
      autosize
      minRows={3}
      maxRows={10}
      {...rest}
      onFocus={(event) => {
        onFocus?.(event)
        // Browsers scroll only a text area's caret into view, which may leave its label under the
        // header.
        event.currentTarget.scrollIntoView({ block: 'nearest' })
      }}
      label={<FieldLabel text={label} optional={optional} />}
    />
  )
}
