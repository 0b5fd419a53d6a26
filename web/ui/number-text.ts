import { useState } from 'react'

type NumberText = {
  value: number | '' | null | undefined
  onChange?: (value: number | '') => void
}

type Reading = { text: string; write: (typed: string) => void; enter: () => void; leave: () => void }

/**
 * A number as it is typed: plain digits while the field has the focus, grouped when it is left. What cannot be a
 * number is dropped; a decimal point stays, so that the field's rule can refuse it where the person sees it.
 */
export function useNumberText({ value, onChange }: NumberText, grouped: boolean): Reading {
  const [typed, setTyped] = useState<string | null>(null)
  const known = typeof value === 'number' && Number.isFinite(value) && value !== 0 ? value : null
  const plain = known === null ? '' : String(known)
  const resting = known === null ? '' : grouped ? known.toLocaleString('en-US') : plain
  return {
    text: typed ?? resting,
    enter: () => setTyped(plain),
    leave: () => setTyped(null),
    write: (given) => {
      const kept = given.replace(/[^\d.]/g, '')
      setTyped(kept)
      const number = Number(kept)
      onChange?.(kept === '' || !Number.isFinite(number) ? '' : number)
    },
  }
}
