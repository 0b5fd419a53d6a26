import type { SaleStatus } from '@keyturn/contract/cars/rules.ts'
import { useQuery } from '@tanstack/react-query'
import { useVisitor } from '../who/session.tsx'
import { visitorsCarQuery } from './queries.ts'

/** How a visitor to a shared car is already involved with it. */
export type Part = 'none' | 'seller' | 'buyer' | 'confirmedBuyer'

/** Undefined while unknown; `none` for a stranger, and also if the question failed. */
export function useVisitorsPart(userId: string, vin: string): Part | undefined {
  const visitor = useVisitor()
  const asked = useQuery({ ...visitorsCarQuery(userId, vin), enabled: Boolean(visitor) })
  if (visitor === undefined) return undefined
  if (visitor === null) return 'none'
  if (visitor._id === userId) return 'seller'
  if (asked.isPending) return undefined
  if (!asked.data) return 'none'
  const { buyerId, status } = asked.data
  if (buyerId !== visitor._id) return 'none'
  return status === null ? 'buyer' : buyersPart[status]
}

const buyersPart: Record<SaleStatus, Part> = {
  PENDING: 'buyer',
  REJECTED: 'buyer',
  ACCEPTED: 'confirmedBuyer',
  COMPLETED: 'confirmedBuyer',
}
