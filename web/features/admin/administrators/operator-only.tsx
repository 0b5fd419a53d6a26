import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { meQuery } from '../queries.ts'

/** What only operators may do; the page says why it is missing for support (R-accounts-53). */
export const OperatorOnly = ({ children }: { children: ReactNode }) => (useIsOperator() ? children : null)

/** True until the role is known; the server rejects what support may not do. */
export const useIsOperator = (): boolean => useQuery(meQuery).data?.role !== 'SUPPORT'
