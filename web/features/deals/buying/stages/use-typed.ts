import { createContext, use, useEffect, useEffectEvent } from 'react'
import type { FormOf } from '../../../../auth/use-draft.ts'

/** Unsent values typed at the stages, by form, while the purchase is on the screen. */
export const TypedContext = createContext<Map<string, unknown>>(new Map())

/** Restores the form on Back and Forward. `isOver`: it has been sent. */
export function useTyped<Values extends object>(form: FormOf<Values>, name: string, isOver = false): void {
  const kept = use(TypedContext)
  const giveBack = useEffectEvent(() => {
    const values = kept.get(name)
    if (values) form.setValues(values as Partial<Values>)
  })
  const keep = useEffectEvent(() => {
    if (!isOver && form.isDirty()) kept.set(name, form.getValues())
    else kept.delete(name)
  })
  useEffect(() => {
    giveBack()
    return () => keep()
  }, [])
}
