import type { Car } from '@keyturn/contract/cars/endpoints.ts'
import { useUser } from '../../auth/session.tsx'
import { type Invitation, invitationTo } from './invitation.ts'

export const pathToPage = ({ sellerId: userId, vin }: Car) => `/car?${new URLSearchParams({ userId, vin })}`

export const useInvitation = (car: Car): Invitation =>
  invitationTo(car, useUser(), new URL(pathToPage(car), location.origin).href)
