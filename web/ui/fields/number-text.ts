import { useState } from 'react'

type NumberText = {
  value: number | '' | null | undefined
  onChange?: (value: number | '') => void
}

type Reading = { text: string; write: (typed: string) => void; leave: () => void }

/**
 * A number as it is typed, set in groups again once the field is left. Entering it changes no letter: what a person
 * has selected stays selected, to be typed over.
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

/** Drops what no number has in it. A decimal point stays, so that the field's rule can refuse it before one's eyes. */
export const keptOf = (given: string): string => given.replace(/[^\d.,]/g, '')

export function numberOf(kept: string): number | '' {
  const digits = kept.replaceAll(',', '')
  const number = Number(digits)
  return digits === '' || !Number.isFinite(number) ? '' : number
}
