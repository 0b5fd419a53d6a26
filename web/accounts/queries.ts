import { ownMail } from '@keyturn/contract/accounts/mails.ts'
import { queryOptions } from '@tanstack/react-query'
import { send } from '../wire/send.ts'

/** How mail reaches the one who is signed in. */
export const ownMailQuery = () =>
  queryOptions({
    queryKey: ['accounts', 'mail'],
    queryFn: ({ signal }) => send(ownMail, {}, { signal }),
  })
