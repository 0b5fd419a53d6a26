import type { Dealer, Delivery } from '@keyturn/contract/dealers/endpoints.ts'
import { dealersTexts } from '@keyturn/contract/dealers/texts.ts'

const texts = dealersTexts.deliveries

/**
 * Returns the label of the button that sends a delivery again. Null for a test, and before the
 * first attempt unless the delivery is parked, for example because it has no destination.
 */
export function sendLabel({ kind, state, tries }: Pick<Delivery, 'kind' | 'state' | 'tries'>): string | null {
  if (kind === 'test') return null
  if (tries.length > 0) return texts.replay
  return state === 'PARKED' ? texts.send : null
}

/**
 * Whether a dealer can receive a test. The default dealer always can: without a system of its own,
 * it uses the built-in desk (R-deals-77).
 */
export const hasSystem = ({ webhookUrl, isDefault }: Pick<Dealer, 'webhookUrl' | 'isDefault'>): boolean =>
  webhookUrl !== null || isDefault
