import { shownLine } from '../kit/words.ts'

/** The states of a car or a buyer's request (R-cars-6). */
export const saleStatuses = ['PENDING', 'ACCEPTED', 'REJECTED', 'COMPLETED'] as const
export type SaleStatus = (typeof saleStatuses)[number]

/** Next year's models are already sold this year; the second year is slack (R-cars-4). */
export const yearFits = (modelYear: number, presentYear: number): boolean => modelYear <= presentYear + 2

/** Fields that are part of the agreement: changing one of them voids signatures. */
export const termFields = ['make', 'carModel', 'year', 'mileage', 'payoff'] as const

export const carName = (car: { year: number; make: string; carModel: string; trim?: string }): string =>
  shownLine([car.year, car.make, car.carModel, car.trim].filter(Boolean).join(' '))
