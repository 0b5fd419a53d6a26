import { finalPackage, ownConsent } from '@keyturn/contract/agreements/endpoints.ts'
import { allCars } from '@keyturn/contract/cars/endpoints.ts'
import { carsOf, getProgress, requestsOnCar, soldCars, timeline } from '@keyturn/contract/deals/endpoints.ts'
import { readMessages } from '@keyturn/contract/messages/endpoints.ts'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { endpointQuery, pagedQuery } from '../../api/queries.ts'
import { send } from '../../api/send.ts'

/**
 * A buyer's deal. A seller names the buyer with `buyerId`; without it, the intended buyer's deal is
 * returned.
 */
export const progressQuery = (userId: string, vin: string, buyerId?: string) =>
  endpointQuery(getProgress, ['deals', 'progress', userId, vin, buyerId ?? null], {
    params: { userId, vin },
    query: { buyerId },
  })

/** Every car that a person sells or buys; `sellerId` tells which. */
export const carsOfQuery = (userId: string) =>
  endpointQuery(carsOf, ['deals', 'cars', userId], { params: { userId } })

/** All requests on a seller's car, oldest first. */
export const requestsQuery = (carId: string) =>
  endpointQuery(requestsOnCar, ['deals', 'requests', carId], { params: { carId } })

export const packageQuery = (pkgId: string) =>
  endpointQuery(finalPackage, ['deals', 'package', pkgId], { params: { pkgId } })

export const timelineQuery = (userId: string, vin: string, buyerId?: string) =>
  endpointQuery(timeline, ['deals', 'timeline', userId, vin, buyerId ?? null], {
    params: { userId, vin },
    query: { buyerId },
  })

/** The messages of a deal: the newest page first, older pages on demand. */
export const messagesQuery = (dealId: string) =>
  infiniteQueryOptions({
    queryKey: ['deals', 'messages', dealId],
    queryFn: ({ signal, pageParam }) =>
      send(readMessages, { params: { dealId }, query: { cursor: pageParam || undefined } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
  })

export const allCarsQuery = pagedQuery(allCars, ['deals', 'listings'])

export const soldCarsQuery = pagedQuery(soldCars, ['deals', 'sold'])

/** The person's consent to sign electronically; refetched wherever it is shown. */
export const consentQuery = endpointQuery(ownConsent, ['deals', 'consent'], {}, { staleTime: 0 })
