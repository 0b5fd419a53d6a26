import {
  type DeskList,
  listDeskDeals,
  readDesk,
  readDeskDeal,
} from '@keyturn/contract/deals/dealers/dealer-desk.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { administratorKey } from '../../who/person.ts'
import { send, sendPage } from '../../wire/send.ts'

export const deskKey = [...administratorKey, 'desk']

export const deskQuery = queryOptions({
  queryKey: [...deskKey, 'state'],
  queryFn: ({ signal }) => send(readDesk, {}, { signal }),
})

/** Asked again now and then, because no server event announces a delivery. */
export const deskDealsQuery = (list: DeskList) =>
  infiniteQueryOptions({
    queryKey: [...deskKey, 'deals', list],
    queryFn: ({ signal, pageParam }) =>
      sendPage(listDeskDeals, { query: { list, cursor: pageParam || undefined } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchInterval: ({ state }) => (state.status === 'success' ? 30_000 : false),
  })

export const deskDealQuery = (pkgId: string) =>
  queryOptions({
    queryKey: [...deskKey, 'deal', pkgId],
    queryFn: ({ signal }) => send(readDeskDeal, { params: { pkgId } }, { signal }),
  })
