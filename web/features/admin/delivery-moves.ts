import type { Dealer, Delivery } from '@keyturn/contract/dealers/endpoints.ts'
import { dealersTexts } from '@keyturn/contract/dealers/texts.ts'

const texts = dealersTexts.deliveries

/**
 * What sends a delivery on: nothing while its first try is still to come, and nothing of a test, which another test
 * follows instead. One that had nowhere to go was never sent before.
 */
export function sendWord({ kind, state, tries }: Pick<Delivery, 'kind' | 'state' | 'tries'>): string | null {
  if (kind === 'test') return null
  if (tries.length > 0) return texts.replay
  return state === 'PARKED' ? texts.send : null
}

/** A test goes to a system; the desk that is built in is the default dealer's, until it has one of its own (R-deals-77). */
export const hasSystem = ({ webhookUrl, isDefault }: Pick<Dealer, 'webhookUrl' | 'isDefault'>): boolean =>
  webhookUrl !== null || isDefault
