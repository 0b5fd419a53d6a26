import { useEffect, useEffectEvent, useState } from 'react'
import { onSessionEnd } from '../api/renew-session.ts'
import { draftNames, type FormDraft, popDraft, saveDraft } from './drafts.ts'
import { useMyId } from './session.tsx'

/** A source of typed values: a form or a screen's own state. */
export type FormOf<Values> = {
  getValues: () => Values
  setValues: (values: Partial<Values>) => void
  isDirty: (field?: string) => boolean
}

/**
 * Restores typed values after the session ended or the page was reloaded (R-accounts-31). Works
 * only on protected pages. `name` distinguishes the forms at one address. `isOver`: the form was sent, so
 * nothing is restored. `survivesLeaving`: the draft cannot conflict with newer data, so it also
 * survives leaving the page.
 */
export function useDraft<Values extends object>(
  form: FormOf<Values>,
  name: string,
  { isOver = false, survivesLeaving = false }: { isOver?: boolean; survivesLeaving?: boolean } = {},
): void {
  const of = useMyId()
  const save = useEffectEvent(() => {
    if (!isOver && form.isDirty()) saveDraft(of, draftKey(name), draftOf(form))
  })
  const saveOnLeaving = useEffectEvent(() => {
    if (survivesLeaving) save()
  })
  const restore = useEffectEvent(() => {
    const draft = popDraft(of, draftKey(name))
    if (draft) form.setValues(draft as Partial<Values>)
  })
  useEffect(() => {
    restore()
    const keepAtEnd = onSessionEnd((session) => session === 'user' && save())
    const keepOnLeaving = () => save()
    window.addEventListener('pagehide', keepOnLeaving)
    return () => {
      keepAtEnd()
      window.removeEventListener('pagehide', keepOnLeaving)
      saveOnLeaving()
    }
  }, [])
}

/** Names of the drafts on this page when it opened, so that their forms open with it. */
export function useDraftNames(): readonly string[] {
  const of = useMyId()
  const [names] = useState(() => draftNames(of, draftKey('')))
  return names
}

/** Whether something typed here was left unsent, once the form that shows it is closed. */
export function useHasDraft(name: string, isShown: boolean): boolean {
  const of = useMyId()
  const [hasDraft, setHasDraft] = useState(false)
  useEffect(() => {
    setHasDraft(!isShown && draftNames(of, draftKey('')).includes(name))
  }, [of, name, isShown])
  return hasDraft
}

const draftKey = (name: string) => `${location.pathname}${location.search} ${name}`

/** Only changed fields: the others may have newer values when the form opens again. */
const draftOf = <Values extends object>({ getValues, isDirty }: FormOf<Values>): FormDraft =>
  Object.fromEntries(
    Object.entries(getValues()).filter(([field]) => !/password|signature/i.test(field) && isDirty(field)),
  )
