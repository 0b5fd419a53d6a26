import { shownLine } from '../kit/words.ts'

/** The states of a car or a buyer's request (R-cars-6). */
export const saleStatuses = ['PENDING', 'ACCEPTED', 'REJECTED', 'COMPLETED'] as const
export type SaleStatus = (typeof saleStatuses)[number]

/** Next year's models are sold this year; one year more leaves room for the calendar (R-cars-4). */
export const yearFits = (modelYear: number, presentYear: number): boolean => modelYear <= presentYear + 2

/** Fields that stand in the agreement: changing one of them voids signatures. */
export const termFields = ['make', 'carModel', 'year', 'mileage'] as const

export const carName = (car: { year: number; make: string; carModel: string; trim?: string }): string =>
  shownLine([car.year, car.make, car.carModel, car.trim].filter(Boolean).join(' '))
