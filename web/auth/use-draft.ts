// For all forms behind the gate.
import { useEffect, useEffectEvent } from 'react'
import { onSessionEnd } from '../api/renew.ts'
import { type Draft, saveDraft, takeDraft } from './drafts.ts'
import { useMyId } from './session.tsx'

/** A form or a screen's own state, as a source of typed values. */
export type FormOf<Values> = {
  getValues: () => Values
  setValues: (values: Partial<Values>) => void
  isDirty: (field?: string) => boolean
}

/**
 * Restores typed values after the session ended or the page was reloaded (R-accounts-31). `name`
 * distinguishes the forms of one address. `isOver`: the form was sent, so nothing is restored.
 * `keepsOnLeaving`: the draft cannot conflict with newer data, so it also survives leaving the
 * page.
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

/**
 * Stores only changed fields, because the others may have newer values when the form opens again.
 */
const draftOf = <Values extends object>({ getValues, isDirty }: FormOf<Values>): Draft =>
  Object.fromEntries(
    Object.entries(getValues()).filter(([field]) => !/password|signature/i.test(field) && isDirty(field)),
  )
