import { listWholesalers } from '@keyturn/contract/accounts/calls.ts'
import { queryOptions } from '@tanstack/react-query'
import { administratorKey } from '../person.ts'
import { generation } from '../renew.ts'
import { addressOf } from '../send.ts'

/**
 * Whether an administrator is signed in beside the person. Not asked through `send`: a "no" there means that the
 * session is over and leads to /dev, while here it only means that this page has one button less.
 */
export const isAdministratorQuery = queryOptions({
  queryKey: [...administratorKey, 'present'],
  queryFn: async ({ signal }) => {
    if (generation('administrator') === 0) return false
    const address = addressOf(listWholesalers.path, {}, { approved: 'false' })
    const answer = await fetch(address, {
      headers: { Accept: 'application/json', 'X-Requested-With': 'app' },
      signal,
    })
    return answer.ok
  },
})
