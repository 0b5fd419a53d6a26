import type { Endpoint, EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import { infiniteQueryOptions, type QueryKey, queryOptions } from '@tanstack/react-query'
import { fetchPage, type RequestOf, send } from './send.ts'

type Refetching = {
  refetchInterval?: number | ((query: { state: { status: string } }) => number | false)
  staleTime?: number
}

/** Returns the options of a query that sends a single request. */
export const endpointQuery = <C extends Endpoint>(
  call: C,
  queryKey: QueryKey,
  asking = {} as RequestOf<C>,
  options: Refetching = {},
) => queryOptions({ queryKey, queryFn: ({ signal }) => send(call, asking, { signal }), ...options })

/**
 * Returns the options of a paged query. Each page is requested with the cursor from the one before
 * it.
 */
export const pagedQuery = <C extends Endpoint>(
  call: C,
  queryKey: QueryKey,
  query: Partial<EndpointInput<C>['query']> = {},
  options: Refetching = {},
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ signal, pageParam }) =>
      fetchPage(call, { query: { ...query, cursor: pageParam || undefined } } as unknown as RequestOf<C>, {
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
    ...options,
  })

/** Polls every `ms` milliseconds, unless the last attempt failed. */
export const pollEvery = (ms: number) => ({
  refetchInterval: ({ state }: { state: { status: string } }) => (state.status === 'success' ? ms : false),
})
