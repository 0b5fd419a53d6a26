import type { Endpoint, EndpointOutput, ErrorOf } from '@keyturn/contract/shared/endpoint.ts'
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { announce } from '../../components/feedback/notice.tsx'
import { isConflict, isFinal } from '../errors.ts'
import { type RequestOf, send } from '../send.ts'
import { type Intents, sendOnce } from './send-once.ts'

type MutationOptions<C extends Endpoint> = {
  /** Queries to refetch afterwards: `[['cars'], ['deals', id]]`. */
  refresh?: readonly QueryKey[]
  /** Announced after success. */
  success?: string
  onDone?: (answer: EndpointOutput<C>, request: RequestOf<C>) => unknown
}

/** Sends a change once for any number of clicks; a retry reuses the idempotency key. */
export function useEndpointMutation<C extends Endpoint>(
  call: C,
  { refresh = [], success, onDone }: MutationOptions<C> = {},
) {
  const client = useQueryClient()
  const intents = useRef<Intents<EndpointOutput<C>>>(new Map())
  const catchUp = () => Promise.all(refresh.map((queryKey) => client.invalidateQueries({ queryKey })))

  const mutation = useMutation<
    EndpointOutput<C>,
    ErrorOf<C>,
    { request: RequestOf<C>; idempotencyKey: string }
  >({
    mutationFn: ({ request, idempotencyKey }) => send(call, request, { idempotencyKey }),
    onSuccess: async (answer, { request }) => {
      await catchUp()
      if (success) announce(success)
      await onDone?.(answer, request)
    },
    // Refetches after a conflict, so that the screen shows the current state next to the error.
    onError: async (error) => {
      if (isConflict(error)) await catchUp()
    },
  })

  const act = (request: RequestOf<C>): Promise<EndpointOutput<C>> =>
    sendOnce(intents.current, request, (idempotencyKey) => mutation.mutateAsync({ request, idempotencyKey }))

  /** The request is pending or its response was lost. */
  const isUnanswered = mutation.isPending || (mutation.isError && !isFinal(mutation.error))

  return {
    act,
    attempt: (request: RequestOf<C>): Promise<EndpointOutput<C> | undefined> =>
      act(request).catch(() => undefined),
    isWorking: mutation.isPending,
    isUnanswered,
    /** Whether a change that appears now may be the result of this action. */
    mayBeDone: isUnanswered || mutation.isSuccess,
    error: mutation.error,
    done: mutation.data,
    reset: mutation.reset,
    /**
     * Called when the page learns in another way that the change was made. A late response is
     * ignored, and sending the same input again is a new change.
     */
    settle: () => {
      intents.current.clear()
      mutation.reset()
    },
  }
}

export type EndpointMutation<C extends Endpoint> = ReturnType<typeof useEndpointMutation<C>>
