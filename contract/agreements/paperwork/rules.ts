import { elsewhere, type StateRule, stateRules } from './states.ts'

export const paperKinds = ['bill-of-sale', 'odometer', 'release', 'appointment'] as const
export type PaperKind = (typeof paperKinds)[number]

/** Which of them each side is offered. The release of liability is the seller's to file. */
export const papersOf: Record<'SELLER' | 'BUYER', readonly PaperKind[]> = {
  SELLER: paperKinds,
  BUYER: ['bill-of-sale', 'odometer', 'appointment'],
}

/** `code`: in two letters, as a ZIP code tells it; null where none is known. */
export function rulesOf(code: string | null): Omit<StateRule, 'code' | 'name'> & { name: string | null } {
  const found = stateRules.find((state) => state.code === code)
  return found ?? { ...elsewhere, name: null }
}

/**
 * Whether federal law wants the mileage disclosed when a car of this model year changes hands in this year (49 CFR 580.17):
 * cars of 2010 and before are exempt after ten years, later ones after twenty.
 */
export const odometerIsDisclosed = (modelYear: number, year: number): boolean =>
  year - modelYear < (modelYear <= 2010 ? 10 : 20)
