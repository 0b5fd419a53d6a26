import { lookUpVin, warmUpVinLookUp as warmUpCall } from '@keyturn/contract/cars/endpoints.ts'
import { endpointQuery } from '../../api/queries.ts'
import { send } from '../../api/send.ts'

/** A decoded VIN never changes, so it is fetched only once. */
export const vinQuery = (vin: string) =>
  endpointQuery(lookUpVin, ['cars', 'vin', vin], { params: { vin } }, { staleTime: Number.POSITIVE_INFINITY })

/** Warms up the VIN look-up when a form with a VIN field opens. Failures are ignored. */
export const warmUpVinLookUp = (): void => void send(warmUpCall, {}).catch(() => undefined)
