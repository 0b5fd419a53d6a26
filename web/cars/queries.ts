import { lookUpVin, publicCarPage, sellersCar, warmVin } from '@keyturn/contract/cars/calls.ts'
import { queryOptions } from '@tanstack/react-query'
import { send } from '../wire/send.ts'

/** The shared link's car and its seller, as anyone sees them. */
export const publicCarQuery = (userId: string, vin: string) =>
  queryOptions({
    queryKey: ['cars', 'public', userId, vin],
    queryFn: ({ signal }) => send(publicCarPage, { params: { userId, vin } }, { signal }),
  })

/** The same car as the signed-in person sees it: parties also get its state, and still see it once it is sold. */
export const visitorsCarQuery = (userId: string, vin: string) =>
  queryOptions({
    queryKey: ['cars', 'of-visitor', userId, vin],
    queryFn: async ({ signal }) => (await send(sellersCar, { params: { userId, vin } }, { signal })).car,
  })

/** A decoded VIN never changes, so one answer is enough. */
export const vinQuery = (vin: string) =>
  queryOptions({
    queryKey: ['cars', 'vin', vin],
    queryFn: ({ signal }) => send(lookUpVin, { params: { vin } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Called when a form with a VIN field opens. Nothing on the screen waits for it or depends on it. */
export const warmVinLookUp = (): void => void send(warmVin, {}).catch(() => undefined)
