import type { Dealer, Delivery } from '@keyturn/contract/dealers/endpoints.ts'
import { dealersTexts } from '@keyturn/contract/dealers/texts.ts'

const texts = dealersTexts.deliveries

/**
 * Returns the label of the button that sends a delivery again: null before the first attempt and
 * for a test. A delivery without a destination was never sent before.
 */
export function sendLabel({ kind, state, tries }: Pick<Delivery, 'kind' | 'state' | 'tries'>): string | null {
  if (kind === 'test') return null
  if (tries.length > 0) return texts.replay
  return state === 'PARKED' ? texts.send : null
}

/**
 * Whether a dealer can receive a test. The built-in desk is the default dealer's, until it has a
 * system of its own (R-deals-77).
 */
export const hasSystem = ({ webhookUrl, isDefault }: Pick<Dealer, 'webhookUrl' | 'isDefault'>): boolean =>
  webhookUrl !== null || isDefault
