import type { TradeStatus } from '@keyturn/contract/trades/rules.ts'
import type { DemoCarName, DemoTradeName } from './demo-cars.ts'
import { type DemoPersonName, demoPersonNames } from './demo-people.ts'

/** Actions of the demo people: the endpoints that everyone uses, each at the clock's time. */
export type DemoActions = {
  /** Sets the clock to this many hours before the present; each later action takes some minutes. */
  ago(hours: number): void
  join(name: DemoPersonName): Promise<void>
  approve(name: DemoPersonName): Promise<void>
  list(seller: DemoPersonName, car: DemoCarName): Promise<void>
  setPrice(car: DemoCarName, dollars: number): Promise<void>
  setMileage(car: DemoCarName, mileage: number): Promise<void>
  begin(buyer: DemoPersonName, car: DemoCarName): Promise<void>
  /** Answers of the wizard, and the stage they lead to. */
  answer(buyer: DemoPersonName, car: DemoCarName, stage: number, answers?: Answers): Promise<void>
  request(buyer: DemoPersonName, car: DemoCarName, dollars: number, trades?: DemoTradeName[]): Promise<void>
  confirm(buyer: DemoPersonName, car: DemoCarName): Promise<void>
  deny(buyer: DemoPersonName, car: DemoCarName, message: string): Promise<void>
  sign(name: DemoPersonName, car: DemoCarName): Promise<void>
  /** Opens the purchase, which settles an expired hold. */
  look(buyer: DemoPersonName, car: DemoCarName): Promise<void>
  complete(car: DemoCarName): Promise<void>
  /** Reads every notification so far. */
  readNotifications(name: DemoPersonName): Promise<void>
  addTrade(owner: DemoPersonName, trade: DemoTradeName): Promise<void>
  moveTrade(by: DemoPersonName, trade: DemoTradeName, status: TradeStatus, dollars?: number): Promise<void>
}
type Answers = {
  hasTrade?: boolean
  needsFinancing?: boolean
  tradeVins?: DemoTradeName[]
  financing?: Financing
}
type Financing = { amount: number; termMonths: number; downPayment: number; contactConsent: boolean }

const day = 24
const loan: Financing = { amount: 12_000, termMonths: 60, downPayment: 3_800, contactConsent: true }

/** Plays two weeks of activity by nine people, so that every state of every screen occurs. */
export async function playScenarios(actions: DemoActions): Promise<void> {
  actions.ago(14 * day)
  for (const name of demoPersonNames) await actions.join(name)
  await playTrades(actions)
  await playMaya(actions)
  await playDaniel(actions)
  actions.ago(day)
  for (const name of demoPersonNames) await actions.readNotifications(name)
}

async function playTrades({ ago, approve, addTrade, moveTrade }: DemoActions): Promise<void> {
  ago(6 * day)
  for (const trade of ['prius', 'forester', 'malibu', 'rogue', 'cruze'] as const)
    await addTrade('marcus', trade)
  await approve('victor')
  await moveTrade('victor', 'prius', 'OFFERED', 5_400)
  await moveTrade('victor', 'forester', 'OFFERED', 4_150)
  await moveTrade('victor', 'rogue', 'OFFERED', 6_900)
  await moveTrade('victor', 'cruze', 'OFFERED', 7_800)
  ago(5 * day)
  await moveTrade('marcus', 'prius', 'ACCEPTED')
  await moveTrade('marcus', 'forester', 'ACCEPTED')
  await moveTrade('marcus', 'cruze', 'REJECTED')
  ago(20)
  await moveTrade('marcus', 'rogue', 'OFFER', 7_500)
  await moveTrade('victor', 'malibu', 'OFFERED', 5_250)
  ago(5)
  await addTrade('grace', 'crv')
  ago(1)
  await addTrade('marcus', 'escape')
}

async function playMaya(actions: DemoActions): Promise<void> {
  const { ago, list, setPrice, begin, answer, request, confirm, sign, complete } = actions
  ago(12 * day)
  for (const car of ['odyssey', 'wrangler', 'cx5', 'f150', 'civic', 'outback', 'camry'] as const)
    await list('maya', car)

  // Sold.
  ago(11 * day)
  await agreeOn(actions, 'elena', 'odyssey', 11_500)
  await confirm('elena', 'odyssey')
  await sign('maya', 'odyssey')
  await sign('elena', 'odyssey')
  ago(8 * day)
  await complete('odyssey')

  // Signed by both: passed to the dealer.
  ago(3 * day)
  await agreeOn(actions, 'elena', 'wrangler', 26_000, loan)
  await confirm('elena', 'wrangler')
  await sign('maya', 'wrangler')
  await sign('elena', 'wrangler')

  // Held for 72 hours: the buyer's signature is next.
  ago(30)
  await agreeOn(actions, 'elena', 'cx5', 20_000)
  ago(21)
  await confirm('elena', 'cx5')
  await sign('maya', 'cx5')

  // Two requests, one confirmed: the seller's signature is next.
  ago(2 * day)
  await agreeOn(actions, 'elena', 'f150', 17_500)
  await agreeOn(actions, 'grace', 'f150', 18_500, loan)
  ago(4)
  await confirm('grace', 'f150')

  // Three requests to choose from.
  ago(3 * day)
  await setPrice('civic', 14_900)
  await agreeOn(actions, 'grace', 'civic', 14_200, loan)
  ago(26)
  await agreeOn(actions, 'elena', 'civic', 14_600)
  await begin('marcus', 'civic')
  await answer('marcus', 'civic', 1, { hasTrade: true })
  await answer('marcus', 'civic', 3, { tradeVins: ['prius'] })
  await answer('marcus', 'civic', 5, { needsFinancing: false })
  await request('marcus', 'civic', 14_900, ['prius'])

  // A new purchase of a car without a price.
  ago(7)
  await begin('elena', 'outback')
}

async function playDaniel(actions: DemoActions): Promise<void> {
  const { ago, list, setPrice, setMileage, begin, answer, confirm, deny, sign, look } = actions
  ago(10 * day)
  const cars: DemoCarName[] = [
    'mini',
    'golf',
    'altima',
    'soul',
    'silverado',
    'jetta',
    'bmw',
    'sonata',
    'mustang',
  ]
  for (const car of cars) await list('daniel', car)

  // The 72 hours ended without the buyer's signature.
  ago(5 * day)
  await agreeOn(actions, 'elena', 'mini', 12_000)
  await confirm('elena', 'mini')
  await sign('daniel', 'mini')
  ago(day)
  await look('elena', 'mini')

  // Confirmed: the seller's signature is next.
  ago(19)
  await agreeOn(actions, 'elena', 'golf', 7_600)
  ago(3)
  await confirm('elena', 'golf')

  ago(2 * day)
  await agreeOn(actions, 'elena', 'altima', 9_800)
  ago(18)
  await deny(
    'elena',
    'altima',
    'Thank you for your offer. I cannot go below $11,000; if you can meet me there, I would be glad to sell it to you.',
  )

  // The buyer signed before the seller confirmed.
  ago(6)
  await agreeOn(actions, 'elena', 'soul', 13_000)
  await sign('elena', 'soul')

  // The buyer signed a version that changed before the seller confirmed: that signature no longer
  // counts.
  ago(3 * day)
  await agreeOn(actions, 'elena', 'mustang', 19_200)
  await sign('elena', 'mustang')
  ago(8)
  await setPrice('mustang', 18_900)
  await setMileage('mustang', 58_350)
  await confirm('elena', 'mustang')

  // Purchases in the wizard: the request, the financing question, the financing terms.
  ago(5)
  await begin('elena', 'silverado')
  await answer('elena', 'silverado', 3, { hasTrade: false })
  await answer('elena', 'silverado', 4, { needsFinancing: true })
  await answer('elena', 'silverado', 5, { financing: loan })
  await begin('elena', 'sonata')
  await answer('elena', 'sonata', 3, { hasTrade: false })
  await begin('grace', 'sonata')
  await answer('grace', 'sonata', 3, { hasTrade: false })
  await answer('grace', 'sonata', 4, { needsFinancing: true })

  // With a trade: one to choose, one without an agreed price.
  ago(2)
  await begin('marcus', 'bmw')
  await answer('marcus', 'bmw', 1, { hasTrade: true })
  await begin('grace', 'jetta')
  await answer('grace', 'jetta', 1, { hasTrade: true })
  await answer('grace', 'jetta', 2)
  await answer('grace', 'jetta', 3)
}

/** Answers the wizard without a trade, up to the request. */
async function agreeOn(
  { begin, answer, request }: DemoActions,
  buyer: DemoPersonName,
  car: DemoCarName,
  dollars: number,
  financing: Financing | null = null,
): Promise<void> {
  await begin(buyer, car)
  await answer(buyer, car, 3, { hasTrade: false })
  if (financing) await answer(buyer, car, 4, { needsFinancing: true })
  await answer(buyer, car, 5, financing ? { financing } : { needsFinancing: false })
  await request(buyer, car, dollars)
}
