import { carByVin, lookUpVin, publicCarPage } from '@keyturn/contract/cars/calls.ts'
import { queryOptions } from '@tanstack/react-query'
import { send } from '../send.ts'

/** The shared link's car and its seller, as anyone sees them. */
export const publicCarQuery = (userId: string, vin: string) =>
  queryOptions({
    queryKey: ['cars', 'public', userId, vin],
    queryFn: ({ signal }) => send(publicCarPage, { params: { userId, vin } }, { signal }),
  })

/** The one live listing of a VIN, whoever sells it. */
export const carByVinQuery = (vin: string) =>
  queryOptions({
    queryKey: ['cars', 'by-vin', vin],
    queryFn: async ({ signal }) => (await send(carByVin, { params: { vin } }, { signal })).car,
  })

/** What a VIN says about its car; it never changes, so one answer is enough. */
export const vinQuery = (vin: string) =>
  queryOptions({
    queryKey: ['cars', 'vin', vin],
    queryFn: ({ signal }) => send(lookUpVin, { params: { vin } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
