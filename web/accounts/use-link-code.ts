import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { ResetLink } from '../wire/search.ts'

/**
 * The code of a mailed link. It leaves the address bar at once, where a shared screen or a copied address would give
 * it away (R-accounts-19), and lives on in the history entry, so that a reload loses nothing.
 */
export function useLinkCode(): ResetLink {
  const { code, exp }: ResetLink = useSearch({ strict: false })
  const { linkCode, linkExp } = useLocation().state
  const navigate = useNavigate()
  useEffect(() => {
    if (!code) return
    void navigate({
      to: '.',
      search: (given: object) => ({ ...given, code: undefined, exp: undefined }),
      state: { linkCode: code, linkExp: exp },
      replace: true,
    })
  }, [code, exp, navigate])
  return code ? { code, exp } : { code: linkCode, exp: linkExp }
}
