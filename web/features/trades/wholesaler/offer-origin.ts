import type { Trade } from '@keyturn/contract/trades/endpoints.ts'

/** Whose offer it is, for labels (R-trades-35). */
export const offerOrigin = ({ isOwnOffer }: Trade): 'own' | 'other' => (isOwnOffer ? 'own' : 'other')
