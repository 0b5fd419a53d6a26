import {
  allCars,
  carsOf,
  finalPackage,
  getProgress,
  requestsOnCar,
  soldCars,
  timeline,
} from '@keyturn/contract/deals/calls.ts'
import { ownConsent } from '@keyturn/contract/deals/consent.ts'
import { readMessages } from '@keyturn/contract/deals/messages/calls.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { send, sendPage } from '../wire/send.ts'

/** A buyer's own deal, or for a seller the intended buyer's (or the one that `buyerId` names). */
export const progressQuery = (userId: string, vin: string, buyerId?: string) =>
  queryOptions({
    queryKey: ['deals', 'progress', userId, vin, buyerId ?? null],
    queryFn: ({ signal }) => send(getProgress, { params: { userId, vin }, query: { buyerId } }, { signal }),
  })

/** Every car of a person: those they sell and those they buy; `sellerId` tells which. */
export const carsOfQuery = (userId: string) =>
  queryOptions({
    queryKey: ['deals', 'cars', userId],
    queryFn: ({ signal }) => send(carsOf, { params: { userId } }, { signal }),
  })

/** All requests on a seller's car, oldest first. */
export const requestsQuery = (carId: string) =>
  queryOptions({
    queryKey: ['deals', 'requests', carId],
    queryFn: ({ signal }) => send(requestsOnCar, { params: { carId } }, { signal }),
  })

export const packageQuery = (pkgId: string) =>
  queryOptions({
    queryKey: ['deals', 'package', pkgId],
    queryFn: ({ signal }) => send(finalPackage, { params: { pkgId } }, { signal }),
  })

/** What happened in a deal, newest first. */
export const timelineQuery = (userId: string, vin: string, buyerId?: string) =>
  queryOptions({
    queryKey: ['deals', 'timeline', userId, vin, buyerId ?? null],
    queryFn: ({ signal }) => send(timeline, { params: { userId, vin }, query: { buyerId } }, { signal }),
  })

/** What the two of a deal wrote: the newest page first, older ones as they are asked for. */
export const messagesQuery = (dealId: string) =>
  infiniteQueryOptions({
    queryKey: ['deals', 'messages', dealId],
    queryFn: ({ signal, pageParam }) =>
      send(readMessages, { params: { dealId }, query: { cursor: pageParam || undefined } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
  })

/** Page by page, with the cursor of the previous answer. */
export const allCarsQuery = () =>
  infiniteQueryOptions({
    queryKey: ['deals', 'listings'],
    queryFn: ({ signal, pageParam }) =>
      sendPage(allCars, { query: { cursor: pageParam || undefined } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
  })

export const soldCarsQuery = () =>
  infiniteQueryOptions({
    queryKey: ['deals', 'sold'],
    queryFn: ({ signal, pageParam }) =>
      sendPage(soldCars, { query: { cursor: pageParam || undefined } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
  })

/** A person's own consent to sign electronically; asked for anew wherever it is shown. */
export const consentQuery = () =>
  queryOptions({
    queryKey: ['deals', 'consent'],
    queryFn: ({ signal }) => send(ownConsent, {}, { signal }),
    staleTime: 0,
  })
