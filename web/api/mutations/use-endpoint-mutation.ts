import type { Endpoint, EndpointOutput, ErrorOf } from '@keyturn/contract/shared/endpoint.ts'
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { announce } from '../../components/feedback/notice.tsx'
import { isConflict, isFinal } from '../errors.ts'
import { type Asking, send } from '../send.ts'
import { type Intents, sendOnce } from './idempotency-keys.ts'

type Acting<C extends Endpoint> = {
  /** Queries to refetch afterwards: `[['cars'], ['deals', id]]`. */
  refresh?: readonly QueryKey[]
  /** Announced once it is done. */
  said?: string
  onDone?: (answer: EndpointOutput<C>, asking: Asking<C>) => unknown
}

/** A change a person makes: sent once however often it is clicked, and with the same key again after a lost answer. */
export function useEndpointMutation<C extends Endpoint>(
  call: C,
  { refresh = [], said, onDone }: Acting<C> = {},
) {
  const client = useQueryClient()
  const intents = useRef<Intents<EndpointOutput<C>>>(new Map())
  const catchUp = () => Promise.all(refresh.map((queryKey) => client.invalidateQueries({ queryKey })))

  const mutation = useMutation<EndpointOutput<C>, ErrorOf<C>, { asking: Asking<C>; idempotencyKey: string }>({
    mutationFn: ({ asking, idempotencyKey }) => send(call, asking, { idempotencyKey }),
    onSuccess: async (answer, { asking }) => {
      await catchUp()
      if (said) announce(said)
      await onDone?.(answer, asking)
    },
    // The screen shows the present state beside the sentence that says so.
    onError: async (refusal) => {
      if (isConflict(refusal)) await catchUp()
    },
  })

  const act = (asking: Asking<C>): Promise<EndpointOutput<C>> =>
    sendOnce(intents.current, asking, (idempotencyKey) => mutation.mutateAsync({ asking, idempotencyKey }))

  /** Under way, or its answer was lost. */
  const isUnanswered = mutation.isPending || (mutation.isError && !isFinal(mutation.error))

  return {
    act,
    attempt: (asking: Asking<C>): Promise<EndpointOutput<C> | undefined> =>
      act(asking).catch(() => undefined),
    isWorking: mutation.isPending,
    isUnanswered,
    /** A change that the page learns of now may be the result of this action. */
    mayBeDone: isUnanswered || mutation.isSuccess,
    refusal: mutation.error,
    done: mutation.data,
    reset: mutation.reset,
    /** The page has learned elsewhere that it was done: an answer that still comes is nothing new, and the same again is another change. */
    settle: () => {
      intents.current.clear()
      mutation.reset()
    },
  }
}

export type EndpointMutation<C extends Endpoint> = ReturnType<typeof useEndpointMutation<C>>
