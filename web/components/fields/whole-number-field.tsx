import type { TextInputProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { texts } from '../texts.ts'
import { afterPress } from './after-press.ts'
import classes from './fields.module.css'
import { type TypedNumber, useNumberText } from './number-text.ts'
import { TextField } from './text-field.tsx'

export type NumberFieldProps = Omit<TextInputProps, 'label' | 'onChange' | 'value' | 'maxLength'> & {
  label: string
  optional?: boolean
  value?: TypedNumber | null
  onChange?: (value: TypedNumber) => void
  /** Message that explains the expected format; shown when the typed text is ambiguous. */
  unread?: string
}

/**
 * A field for a year or a mileage. `grouped` separates thousands while the field is not being
 * edited.
 */
export function WholeNumberField({ grouped = false, ...props }: NumberFieldProps & { grouped?: boolean }) {
  const { value, onChange, onBlur, error, unread = texts.unreadNumber, ...rest } = props
  const reading = useNumberText({ value, onChange }, grouped)
  const isUnread = typeof value === 'string' && value !== '' && (reading.isResting || Boolean(error))
  return (
    <TextField
      inputMode="numeric"
      autoComplete="off"
      {...rest}
      classNames={{ input: classes.digits }}
      value={reading.text}
      error={isUnread ? <Unread error={error}>{unread}</Unread> : error}
      onChange={(event) => reading.onType(event.currentTarget.value)}
      onBlur={(event) => {
        afterPress(reading.onLeave)
        onBlur?.(event)
      }}
    />
  )
}

function Unread({ error, children }: { error: ReactNode; children: string }) {
  return (
    <>
      {error && <span>{error} </span>}
      <span>{children}</span>
    </>
  )
}

export const MilesField = (props: NumberFieldProps) => (
  <WholeNumberField
    grouped
    rightSection={<span className={classes.unit}>{texts.miles}</span>}
    rightSectionWidth={64}
    rightSectionPointerEvents="none"
    {...props}
  />
)

/** A field for whole dollars, the API's unit. */
export function WholeDollarField(props: NumberFieldProps) {
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
