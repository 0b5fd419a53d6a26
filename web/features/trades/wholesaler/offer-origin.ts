import type { Trade } from '@keyturn/contract/trades/endpoints.ts'

/** Returns the key of the labels for this wholesaler's own offers and for other ones (R-trades-35). */
export const offerOrigin = ({ isOwnOffer }: Trade): 'own' | 'other' => (isOwnOffer ? 'own' : 'other')
