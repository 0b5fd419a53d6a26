import type { lookUpVin } from '@keyturn/contract/cars/endpoints.ts'
import type { EndpointOutput } from '@keyturn/contract/shared/endpoint.ts'
import type { TypedNumber } from '../../components/fields/number-text.ts'

type Found = EndpointOutput<typeof lookUpVin>

/**
 * The values of the last look-up. They are part of the form, so that they are stored and reset with
 * it.
 */
type LookedUp = Found & {
  /** The person confirmed that the values fit the current VIN. */
  isKept: boolean
}

/** A form with a VIN and the fields that its look-up fills in. */
export type VinValues = {
  vin: string
  make: string
  carModel: string
  year: TypedNumber
  trim: string
  lookedUp: LookedUp | null
}

export type FilledField = (typeof filledFields)[number]
const filledFields = ['make', 'carModel', 'year', 'trim'] as const

/**
 * Returns the form changes after a look-up (R-cars-14). A repeated look-up replaces every field,
 * even with empty values, because the fields may describe the earlier car. The first look-up keeps
 * a typed trim that the VIN does not determine.
 */
export function changesAfterLookUp(found: Found, { lookedUp, trim }: VinValues): Partial<VinValues> {
  return {
    make: found.make,
    carModel: found.carModel,
    year: found.year,
    trim: found.trim === '' && lookedUp === null ? trim : found.trim,
    lookedUp: { ...found, isKept: false },
  }
}

export const currentLookUp = ({ vin, lookedUp }: VinValues): Found | null =>
  lookedUp?.vin === vin && !lookedUp.isKept ? lookedUp : null

/** Returns the fields that still have values of another VIN. */
export function findOutdatedFields(values: VinValues): FilledField[] {
  const { vin, lookedUp } = values
  if (lookedUp === null || lookedUp.vin === vin) return []
  return filledFields.filter((name) => values[name] === lookedUp[name] && values[name] !== '')
}

export const keepEarlierValues = ({ vin, lookedUp }: VinValues): Partial<VinValues> =>
  lookedUp ? { lookedUp: { ...lookedUp, vin, isKept: true } } : {}

/** Clears the looked-up values, but keeps those that were changed by hand. */
export const clearOutdatedValues = (values: VinValues): Partial<VinValues> => ({
  ...Object.fromEntries(findOutdatedFields(values).map((name) => [name, ''])),
  lookedUp: null,
})
