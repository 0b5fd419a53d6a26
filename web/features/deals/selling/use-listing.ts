import type { Car } from '@keyturn/contract/cars/endpoints.ts'
import type { Request } from '@keyturn/contract/deals/shapes.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { requestsQuery } from '../queries.ts'

export type Listing = { car: Car; requests: readonly Request[] }

/** A seller's listing with its requests; undefined until they are loaded, and once `car` is gone. */
export function useListing(car: Car | undefined) {
  const requests = useQuery({ ...requestsQuery(car?._id ?? ''), enabled: car !== undefined })
  const [read, setRead] = useState<Listing>()
  // The car's version covers its requests too, so it must not be combined with requests older than the car.
  const isRead = car !== undefined && requests.isSuccess && !requests.isFetching
  if (isRead && !(read?.car === car && read.requests === requests.data)) {
    setRead({ car, requests: requests.data })
  }
  return { listing: car && read, failed: requests.isError && !read ? requests : null }
}
