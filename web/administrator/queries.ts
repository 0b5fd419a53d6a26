import { listMails, listWholesalers } from '@keyturn/contract/accounts/calls.ts'
import { mailQueue } from '@keyturn/contract/accounts/mails.ts'
import { listDealers, listDeliveries } from '@keyturn/contract/deals/dealers/dealers.ts'
import { listReports } from '@keyturn/contract/deals/messages/calls.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { administratorKey } from '../who/person.ts'
import { send, sendPage } from '../wire/send.ts'

/** The development mailbox; polled, because no server event announces new mail. */
export const mailsQuery = queryOptions({
  queryKey: [...administratorKey, 'mails'],
  queryFn: ({ signal }) => send(listMails, {}, { signal }),
  refetchInterval: ({ state }) => (state.status === 'success' ? 5000 : false),
})

/** What has not left by the mail server; polled, as the mailbox is. */
export const mailQueueQuery = queryOptions({
  queryKey: [...administratorKey, 'mail-queue'],
  queryFn: ({ signal }) => send(mailQueue, {}, { signal }),
  refetchInterval: ({ state }) => (state.status === 'success' ? 15_000 : false),
})

/** Wholesalers who are not approved, whether pending or declined. */
export const wholesalersQuery = queryOptions({
  queryKey: [...administratorKey, 'wholesalers'],
  queryFn: ({ signal }) => send(listWholesalers, { query: { approved: 'false' } }, { signal }),
})

export const dealersQuery = queryOptions({
  queryKey: [...administratorKey, 'dealers'],
  queryFn: ({ signal }) => send(listDealers, {}, { signal }),
})

/** Polled while it is looked at: no server event tells of a try. */
export const deliveriesQuery = infiniteQueryOptions({
  queryKey: [...administratorKey, 'deliveries'],
  queryFn: ({ signal, pageParam }) =>
    sendPage(listDeliveries, { query: { cursor: pageParam || undefined } }, { signal }),
  initialPageParam: '',
  getNextPageParam: ({ next }) => next ?? undefined,
  refetchInterval: ({ state }) => (state.status === 'success' ? 15_000 : false),
})

/** Polled while it is looked at: no server event tells an administrator of a report. */
export const reportsQuery = infiniteQueryOptions({
  queryKey: [...administratorKey, 'reports'],
  queryFn: ({ signal, pageParam }) =>
    sendPage(listReports, { query: { cursor: pageParam || undefined } }, { signal }),
  initialPageParam: '',
  getNextPageParam: ({ next }) => next ?? undefined,
  refetchInterval: ({ state }) => (state.status === 'success' ? 15_000 : false),
})
