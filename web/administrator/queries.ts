import { listMails, listWholesalers } from '@keyturn/contract/accounts/calls.ts'
import { queryOptions } from '@tanstack/react-query'
import { administratorKey } from '../who/person.ts'
import { send } from '../wire/send.ts'

/** The development mailbox; polled, because no server event announces new mail. */
export const mailsQuery = queryOptions({
  queryKey: [...administratorKey, 'mails'],
  queryFn: ({ signal }) => send(listMails, {}, { signal }),
  refetchInterval: ({ state }) => (state.status === 'success' ? 5000 : false),
})

/** Wholesalers who are not approved, whether pending or declined. */
export const wholesalersQuery = queryOptions({
  queryKey: [...administratorKey, 'wholesalers'],
  queryFn: ({ signal }) => send(listWholesalers, { query: { approved: 'false' } }, { signal }),
})
