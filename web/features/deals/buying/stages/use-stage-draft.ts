import { createContext, use, useEffect, useEffectEvent } from 'react'
import type { FormOf } from '../../../../auth/use-draft.ts'

/** Typed values that were not sent, by form, while the purchase is open. */
export const StageDraftsContext = createContext<Map<string, unknown>>(new Map())

/** Restores a stage's form on Back and Forward, unless it was sent. */
export function useStageDraft<Values extends object>(
  form: FormOf<Values>,
  name: string,
  isSent = false,
): void {
  const drafts = use(StageDraftsContext)
  const restoreDraft = useEffectEvent(() => {
    const values = drafts.get(name)
    if (values) form.setValues(values as Partial<Values>)
  })
  const storeDraft = useEffectEvent(() => {
    if (!isSent && form.isDirty()) drafts.set(name, form.getValues())
    else drafts.delete(name)
  })
  useEffect(() => {
    restoreDraft()
    return () => storeDraft()
  }, [])
}
