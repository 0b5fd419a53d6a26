import { useState } from 'react'

type NumberText = {
  value: number | '' | null | undefined
  onChange?: (value: number | '') => void
}

type Reading = { text: string; write: (typed: string) => void; leave: () => void }

/**
 * A number as typed, grouped again once the field is left. Focusing the field does not change the text, so that a
 * selection is kept and can be typed over.
 */
export function useNumberText({ value, onChange }: NumberText, grouped: boolean): Reading {
  const [typed, setTyped] = useState<string | null>(null)
  return {
    text: typed ?? textAtRest(value, grouped),
    leave: () => setTyped(null),
    write: (given) => {
      const kept = keptOf(given)
      setTyped(kept)
      onChange?.(numberOf(kept))
    },
  }
}

export function textAtRest(value: NumberText['value'], grouped: boolean): string {
  if (typeof value !== 'number' || !Number.isFinite(value) || value === 0) return ''
  return grouped ? value.toLocaleString('en-US') : String(value)
}

/** Drops characters that no number contains. A decimal point stays, so that the field's rule can visibly refuse it. */
export const keptOf = (given: string): string => given.replace(/[^\d.,]/g, '')

export function numberOf(kept: string): number | '' {
  const digits = kept.replaceAll(',', '')
  const number = Number(digits)
  return digits === '' || !Number.isFinite(number) ? '' : number
}
