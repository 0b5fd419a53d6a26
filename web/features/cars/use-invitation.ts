import type { Car } from '@keyturn/contract/cars/endpoints.ts'
import { useUser } from '../../auth/session.tsx'
import { createInvitation, type Invitation } from './invitation.ts'

export const pathToCarPage = ({ sellerId: userId, vin }: Car) =>
  `/car?${new URLSearchParams({ userId, vin })}`

export const useInvitation = (car: Car): Invitation =>
  createInvitation(car, useUser(), new URL(pathToCarPage(car), location.origin).href)
