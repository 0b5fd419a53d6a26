import { expect, test } from 'vitest'
import { pathOfPlace, place } from './place.ts'

const id = (letter: string) => letter.repeat(24)
const vin = '1HGCM82633A004352'

test.each([
  [{ kind: 'car', carId: id('c'), sellerId: id('a'), vin }, `/car/seller?userId=${id('a')}&vin=${vin}`],
  [{ kind: 'deal', dealId: id('d'), sellerId: id('a'), vin }, `/buyer?userId=${id('a')}&vin=${vin}`],
  [{ kind: 'trade', tradeId: id('e'), side: 'OWNER' }, `/trade?trade=${id('e')}`],
  [{ kind: 'trade', tradeId: id('e'), side: 'WHOLESALER' }, `/wholesaler?trade=${id('e')}`],
  [{ kind: 'purchases' }, '/home?view=buying'],
  [{ kind: 'deliveries' }, '/dev'],
])('links %j to its page', (at, address) => {
  expect(pathOfPlace(place.parse(at))).toBe(address)
})
