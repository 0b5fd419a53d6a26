import { defaultStateRule, type StateRule, stateRules } from './state-rules.ts'

export const paperKinds = ['bill-of-sale', 'odometer', 'release', 'appointment'] as const
export type PaperKind = (typeof paperKinds)[number]

/** Documents offered to each party. Only the seller files the release of liability. */
export const paperKindsOf: Record<'SELLER' | 'BUYER', readonly PaperKind[]> = {
  SELLER: paperKinds,
  BUYER: ['bill-of-sale', 'odometer', 'appointment'],
}

/** `code`: two letters, derived from the ZIP code; null when unknown. */
export function stateRuleFor(
  code: string | null,
): Omit<StateRule, 'code' | 'name'> & { name: string | null } {
  const found = stateRules.find((state) => state.code === code)
  return found ?? { ...defaultStateRule, name: null }
}

/**
 * Returns whether federal law requires a mileage disclosure for a sale in this year (49 CFR
 * 580.17). Model years up to 2010 are exempt after ten years, later ones after twenty.
 */
export const requiresOdometerDisclosure = (modelYear: number, year: number): boolean =>
  year - modelYear < (modelYear <= 2010 ? 10 : 20)
