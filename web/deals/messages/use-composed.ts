import { useState } from 'react'
import { useDraft } from '../../who/use-draft.ts'

/** What is typed to the other one of a deal, and where the conversation stood when it was sent. Whoever comes back finds it. */
export function useComposed(dealId: string) {
  const [text, setText] = useState('')
  /** One's own last message before it: what comes after it with the same words is this one. Empty: there was none. */
  const [sentAfter, setSentAfter] = useState<string | null>(null)
  useDraft<{ text: string; sentAfter: string | null }>(
    {
      getValues: () => ({ text, sentAfter }),
      setValues: (kept) => {
        setText(kept.text ?? '')
        setSentAfter(kept.sentAfter ?? null)
      },
      isDirty: () => text !== '',
    },
    `message ${dealId}`,
    { keepsOnLeaving: true },
  )
  return { text, setText, sentAfter, setSentAfter }
}
