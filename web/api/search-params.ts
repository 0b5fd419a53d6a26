import { isVinShape, normalizeVin } from '@keyturn/contract/shared/vin.ts'
import { useSearch } from '@tanstack/react-router'
import type { SideName } from '../components/theme/theme.ts'

/** Keeps search parameters as text: JSON would turn an all-digit VIN or id into a number. */
export const parseSearch = (text: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(text))

export function stringifySearch(values: Record<string, unknown>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value))
  }
  return search.size > 0 ? `?${search}` : ''
}

type Given = Record<string, unknown>

// Missing or invalid values are undefined, not absent. Otherwise the raw values of the parent
// routes would show through.

/** The seller and the car in every shared link (R-cars-15). */
export type CarSearch = { userId?: string; vin?: string }
export const parseCarSearch = (given: Given): CarSearch => ({ ...idOf('userId', given), ...vinOf(given) })

export type VerifySearch = CarSearch & { code?: string }
export const parseVerifySearch = (given: Given): VerifySearch => ({
  ...parseCarSearch(given),
  ...codeOf(given),
})

export type ResetSearch = { code?: string; exp?: number }
export function parseResetSearch(given: Given): ResetSearch {
  const exp = Number(given.exp)
  return { ...codeOf(given), exp: Number.isSafeInteger(exp) && exp > 0 ? exp : undefined }
}

export type PackageSearch = { pkgId?: string }
export const parsePackageSearch = (given: Given): PackageSearch => idOf('pkgId', given)

export const devTabs = [
  'decide',
  'people',
  'listings',
  'dealers',
  'insights',
  'administrators',
  'mailbox',
] as const
/** /dev with one of its tabs, or with a person, who was opened from there. */
export type DevSearch = { tab?: (typeof devTabs)[number]; person?: string }
export const parseDevSearch = (given: Given): DevSearch => ({
  ...idOf('person', given),
  tab: devTabs.find((tab) => tab === given.tab),
})

export type ViewSearch = { view?: SideName }
export const parseViewSearch = ({ view }: Given): ViewSearch => ({
  view: view === 'selling' || view === 'buying' ? view : undefined,
})

/** The trade that a notification is about. */
export type TradeSearch = { trade?: string }
export const parseTradeSearch = (given: Given): TradeSearch => idOf('trade', given)

/** Keeps the address as typed, because screens of links report an invalid link immediately. */
export const parseTypedCarSearch = ({ userId, vin }: Given): CarSearch => ({
  userId: textOf(userId),
  vin: textOf(vin),
})
export const parseTypedTradeSearch = (given: Given): CarSearch & TradeSearch => ({
  ...parseTypedCarSearch(given),
  ...parseTradeSearch(given),
})
const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** Reads the seller and the car from the current address, on any route. */
export function useCarSearch(): CarSearch {
  return parseCarSearch(useSearch({ strict: false }))
}

/**
 * Whether the address names an impossible seller or car, for example because it was copied only in
 * part. The screen reports this before a form is filled in.
 */
export const isBrokenCarLink = ({ userId, vin }: Given): boolean =>
  (isGiven(userId) && !isId(userId)) || (isGiven(vin) && !isVinShape(normalizeVin(String(vin))))

/** Applies `isBrokenCarLink` to the current address, on link routes. */
export const useIsBrokenCarLink = (): boolean => isBrokenCarLink(useSearch({ strict: false }))

const isGiven = (value: unknown) => value !== undefined && value !== ''
const isId = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{24}$/.test(value)

function idOf<const Name extends string>(name: Name, given: Given): { [key in Name]?: string } {
  const value = given[name]
  return { [name]: isId(value) ? value : undefined } as { [key in Name]?: string }
}

function vinOf({ vin }: Given): { vin?: string } {
  return { vin: (typeof vin === 'string' && normalizeVin(vin).slice(0, 64)) || undefined }
}

const codeOf = ({ code }: Given): { code?: string } => ({
  code: typeof code === 'string' && code ? code : undefined,
})
