import type { Car } from '@keyturn/contract/cars/endpoints.ts'
import type { Request } from '@keyturn/contract/deals/shapes.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { requestsQuery } from '../queries.ts'

export type Listing = { car: Car; requests: readonly Request[] }

/**
 * Returns a listing with its requests; undefined without a `car` and until the requests are loaded.
 */
export function useListing(car: Car | undefined) {
  const requests = useQuery({ ...requestsQuery(car?._id ?? ''), enabled: car !== undefined })
  const [loaded, setLoaded] = useState<Listing>()
  // The car's version covers its requests too, so both must be equally recent.
  const isLoaded = car !== undefined && requests.isSuccess && !requests.isFetching
  if (isLoaded && !(loaded?.car === car && loaded.requests === requests.data)) {
    setLoaded({ car, requests: requests.data })
  }
  return { listing: car && loaded, failed: requests.isError && !loaded ? requests : null }
}
