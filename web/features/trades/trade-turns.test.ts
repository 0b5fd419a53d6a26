import type { Trade } from '@keyturn/contract/trades/endpoints.ts'
import type { TradeStatus } from '@keyturn/contract/trades/rules.ts'
import { expect, test } from 'vitest'
import { ownerTurn, sortOwnersTurnFirst, wholesalerTurn } from './trade-turns.ts'

const idsOf = (statuses: TradeStatus[]) =>
  sortOwnersTurnFirst(statuses.map((status, place) => ({ _id: `${place}`, status }) as Trade))
    .map(({ _id }) => _id)
    .join('')

// R-accounts-64
test('gives nobody the turn while the trade is paused', () => {
  const paused = { status: 'OFFERED', isPaused: true } as Trade
  expect([ownerTurn(paused), wholesalerTurn({ ...paused, status: 'PENDING' })]).toEqual([
    { text: 'This trade-in is paused.', mine: false },
    { text: 'This trade-in is paused.', mine: false },
  ])
})

test('sorts trades with an offer to answer first and keeps the order of the others', () => {
  expect(idsOf(['PENDING', 'REJECTED', 'OFFERED', 'OFFER', 'ACCEPTED', 'OFFERED'])).toBe('250134')
})
