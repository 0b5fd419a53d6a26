// For the forms of all rooms behind the gate.
import { useEffect, useEffectEvent } from 'react'
import { onSessionEnd } from '../api/renew.ts'
import { type Draft, saveDraft, takeDraft } from './drafts.ts'
import { useMyId } from './session.tsx'

/** What is typed somewhere: a form, or a screen's own state. */
export type FormOf<Values> = {
  getValues: () => Values
  setValues: (values: Partial<Values>) => void
  isDirty: (field?: string) => boolean
}

/**
 * Gives back what was typed into this form when the session ended or the page was loaded again (R-accounts-31). `name`
 * tells apart the forms of one address. `isOver`: it has been sent, so there is nothing to give back. `keepsOnLeaving`: nothing
 * that it could meet later is newer, so whoever comes back finds it, too.
 */
export function useDraft<Values extends object>(
  form: FormOf<Values>,
  name: string,
  { isOver = false, keepsOnLeaving = false }: { isOver?: boolean; keepsOnLeaving?: boolean } = {},
): void {
  const of = useMyId()
  const keep = useEffectEvent(() => {
    if (!isOver && form.isDirty()) saveDraft(of, placeOf(name), draftOf(form))
  })
  const leave = useEffectEvent(() => {
    if (keepsOnLeaving) keep()
  })
  const giveBack = useEffectEvent(() => {
    const draft = takeDraft(of, placeOf(name))
    if (draft) form.setValues(draft as Partial<Values>)
  })
  useEffect(() => {
    giveBack()
    const keepAtEnd = onSessionEnd((session) => session === 'user' && keep())
    const keepOnLeaving = () => keep()
    window.addEventListener('pagehide', keepOnLeaving)
    return () => {
      keepAtEnd()
      window.removeEventListener('pagehide', keepOnLeaving)
      leave()
    }
  }, [])
}

const placeOf = (name: string) => `${location.pathname}${location.search} ${name}`

/** Only what was changed: what stands in the other fields may be newer when the form is opened again. */
const draftOf = <Values extends object>({ getValues, isDirty }: FormOf<Values>): Draft =>
  Object.fromEntries(
    Object.entries(getValues()).filter(([field]) => !/password|signature/i.test(field) && isDirty(field)),
  )
