import { parseAmount } from '@keyturn/contract/trades/rules.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { Text, type TextInputProps } from '@mantine/core'
import { useState } from 'react'
import { TextField } from '../../components/fields/text-field.tsx'

type AmountFieldProps = Omit<TextInputProps, 'label' | 'value' | 'onChange'> & {
  label: string
  value: string
  onChange: (text: string) => void
}

/**
 * A field for dollars, kept as typed. Commas are rejected rather than silently dropped
 * (R-trades-9).
 */
export function AmountField({ value, onChange, onBlur, error, ...rest }: AmountFieldProps) {
  const [isLeft, setLeft] = useState(false)
  // An incomplete amount is not an error yet, but a character that no amount can contain is.
  const isWrong = value.trim() !== '' && parseAmount(value) === null && (isLeft || /[^\d.$ ]/.test(value))
  return (
    <TextField
      inputMode="decimal"
      autoComplete="off"
      leftSection={<Text c="dimmed">$</Text>}
      leftSectionWidth={32}
      leftSectionPointerEvents="none"
      {...rest}
      value={value}
      error={isWrong ? sentenceFor(value) : error}
      onChange={(event) => {
        setLeft(false)
        onChange(event.currentTarget.value)
      }}
      onBlur={(event) => {
        setLeft(true)
        onBlur?.(event)
      }}
    />
  )
}

const sentenceFor = (text: string) =>
  /^\$? ?\d+(\.\d{1,2})?$/.test(text.trim()) ? tradeTexts.amountInvalid : tradeTexts.amountTyped
