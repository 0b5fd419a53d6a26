import { expect, test } from 'vitest'
import { cents } from '../shared/money.ts'
import { eventNames, recipientRules } from './events.ts'
import { bellDepth, canSeeType, notificationTypes, serverEventModules } from './rules.ts'
import { notificationSentences } from './texts.ts'

// R-notifications-2, R-notifications-3
test('shows every type to addressees, and every type except offers for trades to wholesalers', () => {
  expect(notificationTypes.filter((type) => !canSeeType('addressee', type))).toEqual([])
  expect(notificationTypes.filter((type) => !canSeeType('wholesaler', type))).toEqual(['TRADE_OFFERED'])
})

// R-notifications-1
test('has five types, a limit of one hundred, and one change event for each module', () => {
  const types = 'TRADE_OFFERED PRICE_UPDATED Seller_Agreement Buyer_Offer Buyer_Agreement'
  expect(notificationTypes.join(' ')).toBe(types)
  expect(bellDepth).toBe(100)
  expect(serverEventModules).toEqual(['notifications', 'accounts', 'cars', 'trades', 'deals'])
})

const facts = {
  car: '2003 Honda Accord EX',
  seller: 'Sally Seller',
  buyer: 'Ben Buyer',
  price: cents(950_000),
  from: cents(1_000_000),
  isReserved: false,
  accepted: null,
  takesOffers: true,
  to: cents(950_000),
  offer: cents(910_000),
  proposed: cents(930_000),
  until: '2026-11-24T20:04:00.000Z',
  dealer: 'Bay Motors',
  place: '1 Main Street',
  time: '2026-11-25T15:00',
}
const withBell = eventNames.flatMap((event) =>
  recipientRules(event).flatMap(({ audience, line }) =>
    line.bell === null ? [] : [{ event, audience, bell: line.bell, says: line.sentences as Speaker }],
  ),
)
/** What passes between the two parties is not published to wholesalers (R-deals-86). */
const privateEvents = [
  ...['buyerWrote', 'sellerWrote', 'priceProposed', 'proposalDeclined'],
  ...['sellerSuspended', 'buyerSuspended', 'sellerRestored', 'buyerRestored'],
]
type Speaker = (of: typeof facts, zone: string) => { message: string; publicMessage: string }

test('has a sentence for every type', () => {
  expect(new Set(withBell.map(({ bell }) => bell))).toEqual(new Set(notificationTypes))
})

test.each(withBell)(
  '$event names the car to $audience, but no people and prices to other wholesalers (R-notifications-3)',
  ({ event, says }) => {
    const { message, publicMessage } = says(facts, 'America/New_York')
    expect(message).toContain(facts.car)
    if (privateEvents.includes(event)) expect(publicMessage).toBe('')
    else expect(publicMessage).toContain(facts.car)
    expect(publicMessage).not.toMatch(/\$|Sally|Ben|Bay Motors|Main Street/)
  },
)

// An undeclared name would remain in the sentence after its person deletes the account.
test.each(withBell)(
  '$event declares the party that its sentence for $audience names',
  ({ event, audience, says }) => {
    const line = recipientRules(event).find((each) => each.audience === audience)?.line
    const { message } = says(facts, 'America/New_York')
    expect([message.includes('Sally'), message.includes('Ben')]).toEqual([
      line?.names === 'SELLER',
      line?.names === 'BUYER',
    ])
  },
)

test('names the previous price of a changed offer, and the current one when it is unchanged', () => {
  expect(notificationSentences.requestChanged(facts).message).toBe(
    'Ben Buyer changed the offer for your 2003 Honda Accord EX from $10,000 to $9,500.',
  )
  expect(notificationSentences.requestChanged({ ...facts, from: facts.price }).message).toBe(
    'Ben Buyer sent a new request for your 2003 Honda Accord EX. The offer is still $9,500.',
  )
})

test('leaves out the old asking price when there was none', () => {
  expect(notificationSentences.priceChanged({ ...facts, from: null }).message).toBe(
    'The seller of the 2003 Honda Accord EX now asks $9,500. Your offer of $9,100 has not changed.',
  )
})
