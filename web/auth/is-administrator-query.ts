import { administratorCookie, listWholesalers } from '@keyturn/contract/accounts/endpoints.ts'
import { buildUrl } from '@keyturn/contract/shared/build-url.ts'
import { queryOptions } from '@tanstack/react-query'
import { currentGeneration, renewSession } from '../api/renew-session.ts'
import { administratorKey } from './remembered-person.ts'

const address = buildUrl(listWholesalers.path, {}, { approved: 'false' })

/**
 * Whether an administrator is signed in as well. Only a browser with the marker cookie sends the
 * request. It bypasses `send`, which treats an error as the end of the session and leads to /dev;
 * here an error only hides a button.
 */
export const isAdministratorQuery = queryOptions({
  queryKey: [...administratorKey, 'present'],
  queryFn: async ({ signal }) => {
    if (!isMarked(document.cookie)) return false
    const seen = currentGeneration('administrator')
    const ask = () => fetch(address, { headers: { Accept: 'application/json' }, signal })
    const answer = await ask()
    if (answer.status !== 401) return answer.ok
    return (await renewSession('administrator', seen, true)) && (await ask()).ok
  },
})

/** With https, the cookie's name has a prefix (R-accounts-30). */
const isMarked = (cookies: string): boolean =>
  cookies.split('; ').some((cookie) => cookie.replace('__Host-', '').startsWith(`${administratorCookie}=1`))
