import type { AdminRole } from '@keyturn/contract/accounts/admin-acts.ts'
import { readMe } from '@keyturn/contract/accounts/administrators.ts'
import { administratorMarkerCookie } from '@keyturn/contract/accounts/endpoints.ts'
import { buildUrl } from '@keyturn/contract/shared/build-url.ts'
import { queryOptions } from '@tanstack/react-query'
import { currentGeneration, renewSession } from '../api/renew-session.ts'
import { administratorKey } from './remembered-person.ts'

const address = buildUrl(readMe.path, {}, {})

/**
 * The role of an administrator who is signed in as well. Only a browser with the marker cookie sends the
 * request. It bypasses `send`, which treats an error as the end of the session and leads to /dev;
 * here an error only hides a button.
 */
const roleQuery = queryOptions({
  queryKey: [...administratorKey, 'present'],
  queryFn: async ({ signal }): Promise<AdminRole | null> => {
    if (!isMarked(document.cookie)) return null
    const seen = currentGeneration('administrator')
    const ask = () => fetch(address, { headers: { Accept: 'application/json' }, signal })
    const answer = await ask()
    if (answer.status !== 401) return roleOf(answer)
    return (await renewSession('administrator', seen, true)) ? roleOf(await ask()) : null
  },
})

async function roleOf(answer: Response): Promise<AdminRole | null> {
  return answer.ok ? readMe.response.parse(await answer.json()).role : null
}

export const isAdministratorQuery = queryOptions({ ...roleQuery, select: (role) => role !== null })
/** Whether an administrator who may act is signed in as well (R-accounts-53). */
export const isOperatorQuery = queryOptions({ ...roleQuery, select: (role) => role === 'OPERATOR' })

/** With https, the cookie's name has a prefix (R-accounts-30). */
const isMarked = (cookies: string): boolean =>
  cookies
    .split('; ')
    .some((cookie) => cookie.replace('__Host-', '').startsWith(`${administratorMarkerCookie}=1`))
