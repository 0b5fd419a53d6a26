import { expect, test } from 'vitest'
import { cents } from '../kit/money.ts'
import { bellDepth, notificationTypes, seesType, serverEventRooms } from './rules.ts'
import { notices, type Told } from './texts.ts'

test.each(notificationTypes)(
  'whom %s is addressed to sees it, whatever they registered as (R-notifications-2)',
  (type) => {
    expect(seesType('addressee', type)).toBe(true)
  },
)

test.each(notificationTypes)(
  'a wholesaler sees %s unless it is an offer for a trade (R-notifications-3)',
  (type) => {
    expect(seesType('wholesaler', type)).toBe(type !== 'TRADE_OFFERED')
  },
)

// R-notifications-1
test('there are five types of notices, a hundred in a bell, and each room can change', () => {
  expect(notificationTypes).toEqual([
    'TRADE_OFFERED',
    'PRICE_UPDATED',
    'Seller_Agreement',
    'Buyer_Offer',
    'Buyer_Agreement',
  ])
  expect(bellDepth).toBe(100)
  expect(serverEventRooms).toEqual(['notifications', 'accounts', 'cars', 'trades', 'deals'])
})

const named = {
  car: '2003 Honda Accord EX',
  seller: 'Sally Seller',
  buyer: 'Ben Buyer',
  price: cents(950_000),
  from: cents(1_000_000),
  to: cents(950_000),
  until: 'Nov 24, 3:04 PM EST',
  dealer: 'Bay Motors',
  side: 'BUYER' as const,
  when: 'Wed, Nov 25, 2026, 3:00 PM, 1 Main Street',
}

test('every type has a sentence', () => {
  const told = Object.values<(of: typeof named) => Told>(notices).map((tell) => tell(named).type)
  expect(new Set(told)).toEqual(new Set(notificationTypes))
})

test.each(Object.entries<(of: typeof named) => Told>(notices))(
  '%s names the car, and to wholesalers neither people nor prices (R-notifications-3)',
  (_, tell) => {
    const told = tell(named)
    expect(told.message).toContain(named.car)
    expect(told.publicMessage).toContain(named.car)
    expect(told.publicMessage).not.toMatch(/\$|Sally|Ben/)
  },
)

test('an offer that was changed is told with the price before; where that stays, with the one that stands', () => {
  expect(notices.buyerChangedOffer(named).message).toBe(
    'Ben Buyer changed the offer for your 2003 Honda Accord EX from $10,000 to $9,500.',
  )
  expect(notices.buyerChangedOffer({ ...named, from: named.price }).message).toBe(
    'Ben Buyer sent a new request for your 2003 Honda Accord EX. The price is still $9,500.',
  )
})

test('where no other price stood before, there is no old price in the sentence', () => {
  for (const from of [null, named.to])
    expect(notices.priceUpdated({ ...named, from }).message).toBe(
      'The price of the 2003 Honda Accord EX is now $9,500.',
    )
})
