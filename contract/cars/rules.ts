import { shownLine } from '../shared/words.ts'

/** The states of a car or a buyer's request (R-cars-6). */
export const saleStatuses = ['PENDING', 'ACCEPTED', 'REJECTED', 'COMPLETED'] as const
export type SaleStatus = (typeof saleStatuses)[number]

/** Next year's models are already sold this year; the second year is slack (R-cars-4). */
export const yearFits = (modelYear: number, presentYear: number): boolean => modelYear <= presentYear + 2

/** Who may have the paper that says whose car it is. */
export const titleHolders = ['SELLER', 'LENDER'] as const
export type TitleHolder = (typeof titleHolders)[number]

/** The drawings that may stand for a car without a picture. */
export const bodyTypes = [
  'sedan',
  'coupe',
  'hatchback',
  'wagon',
  'suv',
  'pickup',
  'van',
  'convertible',
] as const
export type BodyType = (typeof bodyTypes)[number]

/** From the body class of the VIN tables ("Sport Utility Vehicle (SUV)/..."); null if none of ours fits. */
export function bodyTypeOf(bodyClass: string | null): BodyType | null {
  const words = bodyClass?.toLowerCase() ?? ''
  const [, found = null] = Object.entries(tellTales).find(([tell]) => words.includes(tell)) ?? []
  return found
}

/** The first that occurs decides: a sport utility truck is a pickup. */
const tellTales: Record<string, BodyType> = {
  pickup: 'pickup',
  truck: 'pickup',
  'sport utility': 'suv',
  crossover: 'suv',
  wagon: 'wagon',
  van: 'van',
  hatchback: 'hatchback',
  convertible: 'convertible',
  roadster: 'convertible',
  coupe: 'coupe',
  sedan: 'sedan',
  limousine: 'sedan',
}

/** Fields that are part of the agreement: changing one of them voids signatures. */
export const termFields = ['make', 'carModel', 'year', 'mileage', 'payoff'] as const

export const carName = (car: { year: number; make: string; carModel: string; trim?: string }): string =>
  shownLine([car.year, car.make, car.carModel, car.trim].filter(Boolean).join(' '))

/** How a visitor to a shared car is already involved with it. */
export type Part = 'none' | 'seller' | 'buyer' | 'confirmedBuyer'

/** By the car as this visitor reads it: only a party is told who buys it. */
export function partOf(
  visitorId: string,
  sellerId: string,
  car: { buyerId?: string | null; status: SaleStatus | null } | null,
): Part {
  if (visitorId === sellerId) return 'seller'
  if (car?.buyerId !== visitorId) return 'none'
  return car.status === null ? 'buyer' : buyersPart[car.status]
}

const buyersPart: Record<SaleStatus, Part> = {
  PENDING: 'buyer',
  REJECTED: 'buyer',
  ACCEPTED: 'confirmedBuyer',
  COMPLETED: 'confirmedBuyer',
}
