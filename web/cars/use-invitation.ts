// Also for the share screen, which belongs to deals.
import type { Car } from '@keyturn/contract/cars/calls.ts'
import { useRouter } from '@tanstack/react-router'
import { useUser } from '../who/session.tsx'
import { type Invitation, invitationTo } from './invitation.ts'

/** The seller's invitation to the page that buyers see. */
export function useInvitation(car: Car): Invitation {
  const router = useRouter()
  const { sellerId: userId, vin } = car
  const { href } = router.buildLocation({ to: '/car', search: { userId, vin } })
  return invitationTo(car, useUser(), new URL(href, location.origin).href)
}
