import type { CarBody } from '../shared/car-illustrations.ts'
import { sanitizeLine } from '../shared/visible-text.ts'

/** States of a car or of a buyer's request (R-cars-6). */
export const saleStatuses = ['PENDING', 'ACCEPTED', 'REJECTED', 'COMPLETED'] as const
export type SaleStatus = (typeof saleStatuses)[number]

/** Next year's models are already sold this year; the second year is slack (R-cars-4). */
export const isPlausibleModelYear = (modelYear: number, presentYear: number): boolean =>
  modelYear <= presentYear + 2

export const titleHolders = ['SELLER', 'LENDER'] as const
export type TitleHolder = (typeof titleHolders)[number]

/**
 * Maps the body class of the VIN tables ("Sport Utility Vehicle (SUV)/..."); null when no
 * illustration fits.
 */
export function bodyTypeOf(bodyClass: string | null): CarBody | null {
  const words = bodyClass?.toLowerCase() ?? ''
  const [, found = null] = Object.entries(bodyTypeByWord).find(([tell]) => words.includes(tell)) ?? []
  return found
}

/** The first match wins: a sport utility truck is a pickup, a minivan no van. */
const bodyTypeByWord: Record<string, CarBody> = {
  pickup: 'pickup',
  truck: 'pickup',
  'sport utility': 'suv',
  crossover: 'crossover',
  wagon: 'wagon',
  minivan: 'minivan',
  van: 'van',
  hatchback: 'hatchback',
  convertible: 'convertible',
  roadster: 'convertible',
  coupe: 'coupe',
  sedan: 'sedan',
  limousine: 'sedan',
}

/** Fields of the agreement: changing one of them voids signatures. */
export const termFields = ['make', 'carModel', 'year', 'mileage', 'payoff', 'payoffAmount', 'lender'] as const

export const carName = (car: { year: number; make: string; carModel: string; trim?: string }): string =>
  sanitizeLine([car.year, car.make, car.carModel, car.trim].filter(Boolean).join(' '))

/** A visitor's existing relation to a shared car. `signedBuyer`: both have signed. */
export type VisitorPart = 'none' | 'seller' | 'buyer' | 'confirmedBuyer' | 'signedBuyer'

/** Expects the car as this visitor reads it, because only parties see its buyer. */
export function visitorPart(
  visitorId: string,
  sellerId: string,
  car: { buyerId?: string | null; status: SaleStatus | null; fullySigned?: boolean | undefined } | null,
): VisitorPart {
  if (visitorId === sellerId) return 'seller'
  if (car?.buyerId !== visitorId) return 'none'
  if (car.fullySigned) return 'signedBuyer'
  return car.status === null ? 'buyer' : buyersPart[car.status]
}

const buyersPart: Record<SaleStatus, VisitorPart> = {
  PENDING: 'buyer',
  REJECTED: 'buyer',
  ACCEPTED: 'confirmedBuyer',
  COMPLETED: 'confirmedBuyer',
}

const salePending: Record<SaleStatus, boolean> = {
  PENDING: false,
  ACCEPTED: true,
  REJECTED: false,
  COMPLETED: false,
}

/** Returns whether a buyer is confirmed, so that visitors of a shared car cannot request it. */
export const isSalePending = ({ status }: { status: SaleStatus | null }): boolean =>
  status !== null && salePending[status]
