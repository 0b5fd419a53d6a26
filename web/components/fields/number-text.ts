import { useState } from 'react'

/** A number as a form holds it: '' for an empty field, or the typed text if it is ambiguous. */
export type TypedNumber = number | string

type NumberText = { value: TypedNumber | null | undefined; onChange?: (value: TypedNumber) => void }

type NumberInput = { text: string; isResting: boolean; onType: (typed: string) => void; onLeave: () => void }

/**
 * Provides the text of a number field, grouped on blur. Focusing the field does not change the
 * text, so that a selection survives and can be typed over.
 */
export function useNumberText({ value, onChange }: NumberText, grouped: boolean): NumberInput {
  const [typed, setTyped] = useState<string | null>(null)
  const text = typed ?? formatOnBlur(value, grouped)
  return {
    text,
    isResting: typed === null,
    onLeave: () => setTyped(null),
    onType: (given) => {
      setTyped(given)
      const isOwnWriting = typeof value === 'number' && isDigitEdit(text, given)
      onChange?.(readNumber(isOwnWriting ? given.replaceAll(',', '') : given))
    },
  }
}

export function formatOnBlur(value: NumberText['value'], grouped: boolean): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'number' || !Number.isFinite(value) || value === 0) return ''
  return grouped ? value.toLocaleString('en-US') : String(value)
}

/**
 * Parses an unambiguous number in American notation, with its unit. Any other text is returned
 * unchanged, for the field's rule to reject. Digits are never picked out: `-100`, `1e5` and `6.500`
 * are not 100, 15 and 6.5 (R-everywhere-34).
 */
export function readNumber(typed: string): TypedNumber {
  const text = typed.trim()
  const digits = plain.exec(text)?.[1] ?? grouped.exec(text)?.[1]
  if (digits === undefined) return text === '' ? '' : typed
  return Number(digits.replace(/[^\d.]/g, ''))
}

/**
 * Whether only digits were added or removed, as when "9,500" becomes "9,5001" or "9,50". The commas
 * then still belong to the earlier number.
 */
export function isDigitEdit(before: string, now: string): boolean {
  const max = Math.min(before.length, now.length)
  let start = 0
  while (start < max && before[start] === now[start]) start++
  let end = 0
  while (end < max - start && before.at(-1 - end) === now.at(-1 - end)) end++
  return start + end > 0 && /^\d*$/.test(now.slice(start, now.length - end))
}

const opening = String.raw`^(?:US)?\$? ?`
/**
 * At most two decimals, because three digits may mean thousands. More than fifteen digits are not
 * exact.
 */
const closing = String.raw`(?:\.\d{0,2})?)(?: ?(?:USD|dollars|miles|mi))?$`
const plain = new RegExp(String.raw`${opening}(\d{1,15}${closing}`, 'i')
const grouped = new RegExp(
  String.raw`${opening}(\d{1,3}(?:(?:,\d{3}){1,4}|(?:[ \u00a0\u202f]\d{3}){1,4})${closing}`,
  'i',
)
