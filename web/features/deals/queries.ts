import { listAgreements, readConsent, readPackage } from '@keyturn/contract/agreements/endpoints.ts'
import { verifyAgreement } from '@keyturn/contract/agreements/verification/endpoints.ts'
import { listAllCars } from '@keyturn/contract/cars/endpoints.ts'
import {
  getProgress,
  listCarsOfUser,
  listRequests,
  listSoldCars,
  readTimeline,
} from '@keyturn/contract/deals/endpoints.ts'
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
export const carsOfUserQuery = (userId: string) =>
  endpointQuery(listCarsOfUser, ['deals', 'cars', userId], { params: { userId } })

/** All requests on a seller's car, oldest first. */
export const requestsQuery = (carId: string) =>
  endpointQuery(listRequests, ['deals', 'requests', carId], { params: { carId } })

export const packageQuery = (pkgId: string) =>
  endpointQuery(readPackage, ['deals', 'package', pkgId], { params: { pkgId } })

/** Whether an agreement is in effect, as anyone can look it up (R-deals-78). */
export const agreementStatusQuery = (agreement: string) =>
  endpointQuery(verifyAgreement, ['deals', 'agreement', agreement], { params: { agreement } })

export const timelineQuery = (userId: string, vin: string, buyerId?: string) =>
  endpointQuery(readTimeline, ['deals', 'timeline', userId, vin, buyerId ?? null], {
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

export const allCarsQuery = pagedQuery(listAllCars, ['deals', 'listings'])

export const soldCarsQuery = pagedQuery(listSoldCars, ['deals', 'sold'])

/** The signed agreements of the signed-in person. */
export const ownAgreementsQuery = endpointQuery(listAgreements, ['deals', 'agreements'], {})

/** The person's consent to sign electronically; refetched wherever it is shown. */
export const consentQuery = endpointQuery(readConsent, ['deals', 'consent'], {}, { staleTime: 0 })
