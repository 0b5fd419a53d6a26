import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { parseSearch, type ResetSearch } from '../../api/search-params.ts'

/**
 * Reads the code of an emailed link and removes it from the address bar immediately, because a
 * shared screen or a copied address would reveal it (R-accounts-19). The history entry stores it
 * for reloads.
 */
export function useLinkCode(): ResetSearch {
  const { code, exp }: ResetSearch = useSearch({ strict: false })
  return useHiddenCode(code, exp)
}

/** Does the same for a sign-in code in the URL's fragment. */
export const useFragmentCode = (): string | undefined =>
  useHiddenCode(parseSearch(useLocation().hash).code).code

function useHiddenCode(code: string | undefined, exp?: number): ResetSearch {
  const { linkCode, linkExp } = useLocation().state
  const navigate = useNavigate()
  useEffect(() => {
    if (!code) return
    void navigate({
      to: '.',
      search: (given: object) => ({ ...given, code: undefined, exp: undefined }),
      hash: '',
      state: { linkCode: code, linkExp: exp },
      replace: true,
    })
  }, [code, exp, navigate])
  return code ? { code, exp } : { code: linkCode, exp: linkExp }
}
