import type { Answer, Call, RefusalOf } from '@keyturn/contract/kit/call.ts'
import type { Refusal } from '@keyturn/contract/kit/refusal.ts'
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { isConflict, isFinal } from '../wire/refusals.ts'
import { type Asking, send } from '../wire/send.ts'

type Acting<C extends Call> = {
  /** Queries to refetch afterwards: `[['cars'], ['deals', id]]`. */
  refresh?: readonly QueryKey[]
  onDone?: (answer: Answer<C>, asking: Asking<C>) => unknown
}

/** A change a person makes: sent once however often it is clicked, and with the same key again after a lost answer. */
export function useAct<C extends Call>(call: C, { refresh = [], onDone }: Acting<C> = {}) {
  const client = useQueryClient()
  const intents = useRef(new Map<string, Intent<Answer<C>>>())
  const catchUp = () => Promise.all(refresh.map((queryKey) => client.invalidateQueries({ queryKey })))

  const mutation = useMutation<Answer<C>, RefusalOf<C>, { asking: Asking<C>; idempotencyKey: string }>({
    mutationFn: ({ asking, idempotencyKey }) => send(call, asking, { idempotencyKey }),
    onSuccess: async (answer, { asking }) => {
      await catchUp()
      await onDone?.(answer, asking)
    },
    // The screen shows the present state beside the sentence that says so.
    onError: async (refusal) => {
      if (isConflict(refusal)) await catchUp()
    },
  })

  const act = (asking: Asking<C>): Promise<Answer<C>> => {
    const input = JSON.stringify(asking)
    const intent = intents.current.get(input) ?? { key: newKey(), running: null }
    intents.current.set(input, intent)
    intent.running ??= mutation.mutateAsync({ asking, idempotencyKey: intent.key }).then(
      (answer) => {
        intents.current.delete(input)
        return answer
      },
      (refusal: Refusal) => {
        intent.running = null
        if (isFinal(refusal)) intents.current.delete(input)
        throw refusal
      },
    )
    return intent.running
  }

  /** Under way, or its answer was lost. */
  const isUnanswered = mutation.isPending || (mutation.isError && !isFinal(mutation.error))

  return {
    act,
    attempt: (asking: Asking<C>): Promise<Answer<C> | undefined> => act(asking).catch(() => undefined),
    isWorking: mutation.isPending,
    isUnanswered,
    /** A change that the page learns of now may be the result of this action. */
    mayBeDone: isUnanswered || mutation.isSuccess,
    refusal: mutation.error,
    done: mutation.data,
    reset: mutation.reset,
  }
}

export type Act<C extends Call> = ReturnType<typeof useAct<C>>

/** The key belongs to the input until the server has given a final answer (R-safe-10). */
type Intent<T> = { key: string; running: Promise<T> | null }

/** `crypto.randomUUID` is missing on plain http except on localhost. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
