import type { Car } from '@keyturn/contract/cars/calls.ts'
import type { Request } from '@keyturn/contract/deals/calls.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSeen } from '../../decide/seen.ts'
import { requestsQuery } from '../queries.ts'
import { newsOfListing } from './listing-news.ts'

type Read = { car: Car; requests: readonly Request[] }

/**
 * A seller's listing as they read it, together with the requests on it. `car` is undefined once it is gone;
 * `shown` is so until the requests are there.
 */
export function useListingSeen(car: Car | undefined, isOwn: boolean) {
  const requests = useQuery({ ...requestsQuery(car?._id ?? ''), enabled: car !== undefined })
  const [read, setRead] = useState<Read>()
  // The car's version stands for its requests too: it is not taken for read with requests that are older than it.
  const isRead = car !== undefined && requests.isSuccess && !requests.isFetching
  if (isRead && !(read?.car === car && read.requests === requests.data)) {
    setRead({ car, requests: requests.data })
  }
  const present = car && read
  const seen = useSeen(present, (one, other) => newsOfListing(one, other).length === 0, isOwn)
  return {
    ...seen,
    changes: seen.isStale && seen.shown && present ? newsOfListing(seen.shown, present) : [],
    failed: requests.isError && !read ? requests : null,
  }
}
