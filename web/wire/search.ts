import { normalizeVin } from '@keyturn/contract/kit/vin.ts'
import { useSearch } from '@tanstack/react-router'
import type { SideName } from '../ui/frame/theme.ts'

/** Search parameters stay text: parsed as JSON, a VIN or id of digits only would become a number. */
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

/** The seller and the car in every shared link (R-cars-15). */
export type CarLink = { userId?: string; vin?: string }
export const carLink = (given: Given): CarLink => ({ ...idOf('userId', given), ...vinOf(given) })

export type VerifyLink = CarLink & { code?: string }
export const verifyLink = (given: Given): VerifyLink => ({ ...carLink(given), ...codeOf(given) })

export type ResetLink = { code?: string; exp?: number }
export function resetLink(given: Given): ResetLink {
  const exp = Number(given.exp)
  return { ...codeOf(given), ...(Number.isSafeInteger(exp) && exp > 0 && { exp }) }
}

export const loginLink = (given: Given): { code?: string } => codeOf(given)

export type PackageLink = { pkgId?: string }
export const packageLink = (given: Given): PackageLink => idOf('pkgId', given)

export type ViewLink = { view?: SideName }
export const viewLink = ({ view }: Given): ViewLink =>
  view === 'selling' || view === 'buying' ? { view } : {}

/** The seller and the car in the current address, on any route. */
export function useCarLink(): CarLink {
  const { userId, vin }: CarLink = useSearch({ strict: false })
  return { userId, vin }
}

function idOf<const Name extends string>(name: Name, given: Given): { [key in Name]?: string } {
  const value = given[name]
  // An invalid id counts as missing, for which the screens have their own sentences.
  return (typeof value === 'string' && /^[0-9a-f]{24}$/.test(value) ? { [name]: value } : {}) as {
    [key in Name]?: string
  }
}

function vinOf({ vin }: Given): { vin?: string } {
  const normal = typeof vin === 'string' ? normalizeVin(vin).slice(0, 64) : ''
  return normal ? { vin: normal } : {}
}

const codeOf = ({ code }: Given): { code?: string } => (typeof code === 'string' && code ? { code } : {})
