import { canBecomeAmount, parseAmount } from '@keyturn/contract/trades/rules.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { Text, type TextInputProps } from '@mantine/core'
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
export function AmountField({ value, onChange, error, ...rest }: AmountFieldProps) {
  // An incomplete amount is not an error yet.
  const isWrong = value.trim() !== '' && parseAmount(value) === null && !canBecomeAmount(value)
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
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

/** Returns why an amount cannot be sent yet, as a text for the button; false if it can. */
export function amountBlockedReason(text: string): string | false {
  if (parseAmount(text) !== null) return false
  if (text.trim() === '') return tradeTexts.amountFirst
  // Otherwise the field already says what is wrong.
  return canBecomeAmount(text) ? tradeTexts.amountInvalid : tradeTexts.amountFix
}

const sentenceFor = (text: string) =>
  /^\$? ?\d+(\.\d{1,2})?$/.test(text.trim()) ? tradeTexts.amountInvalid : tradeTexts.amountTyped
