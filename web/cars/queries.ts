import { lookUpVin, publicCarPage, sellersCar, warmVin } from '@keyturn/contract/cars/calls.ts'
import { queryOptions } from '@tanstack/react-query'
import { send } from '../wire/send.ts'

/** The shared link's car and its seller, as anyone sees them. */
export const publicCarQuery = (userId: string, vin: string) =>
  queryOptions({
    queryKey: ['cars', 'public', userId, vin],
    queryFn: ({ signal }) => send(publicCarPage, { params: { userId, vin } }, { signal }),
  })

/** The same car as whoever is signed in sees it: for its parties also how it stands with them, and once it is sold. */
export const visitorsCarQuery = (userId: string, vin: string) =>
  queryOptions({
    queryKey: ['cars', 'of-visitor', userId, vin],
    queryFn: async ({ signal }) => (await send(sellersCar, { params: { userId, vin } }, { signal })).car,
  })

/** What a VIN says about its car; it never changes, so one answer is enough. */
export const vinQuery = (vin: string) =>
  queryOptions({
    queryKey: ['cars', 'vin', vin],
    queryFn: ({ signal }) => send(lookUpVin, { params: { vin } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Said when a form opens whose VIN may be looked up next. Nothing on the screen waits for it or depends on it. */
export const warmVinLookUp = (): void => void send(warmVin, {}).catch(() => undefined)
