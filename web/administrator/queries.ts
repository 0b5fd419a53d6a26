import { listMails, listWholesalers } from '@keyturn/contract/accounts/calls.ts'
import { queryOptions } from '@tanstack/react-query'
import { administratorKey } from '../who/person.ts'
import { send } from '../wire/send.ts'

/** The development mailbox. New mail comes without anybody's doing, so it is looked for now and then. */
export const mailsQuery = queryOptions({
  queryKey: [...administratorKey, 'mails'],
  queryFn: ({ signal }) => send(listMails, {}, { signal }),
  refetchInterval: ({ state }) => (state.status === 'success' ? 5000 : false),
})

/** Wholesalers who are not approved: those who wait, and those who were declined. */
export const wholesalersQuery = queryOptions({
  queryKey: [...administratorKey, 'wholesalers'],
  queryFn: ({ signal }) => send(listWholesalers, { query: { approved: 'false' } }, { signal }),
})
