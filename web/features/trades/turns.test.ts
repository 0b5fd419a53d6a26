import type { Trade } from '@keyturn/contract/trades/endpoints.ts'
import type { TradeStatus } from '@keyturn/contract/trades/rules.ts'
import { expect, test } from 'vitest'
import { ownersTurnFirst } from './turns.ts'

const idsOf = (statuses: TradeStatus[]) =>
  ownersTurnFirst(statuses.map((status, place) => ({ _id: `${place}`, status }) as Trade))
    .map(({ _id }) => _id)
    .join('')

test('a trade with an offer to answer stands above all others, which keep their order', () => {
  expect(idsOf(['PENDING', 'REJECTED', 'OFFERED', 'OFFER', 'ACCEPTED', 'OFFERED'])).toBe('250134')
})
