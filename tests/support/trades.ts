import { addTrade, moveTrade, type Trade } from '@keyturn/contract/trades/endpoints.ts'
import type { TradeStatus } from '@keyturn/contract/trades/rules.ts'
import type { Browser } from './browser.ts'
import type { TestPerson } from './people.ts'
import type { TestServer } from './test-server.ts'

let made = 0

/** Returns the form for a pickup from Detroit, with a unique VIN. */
export const aTradeForm = (fields: Record<string, unknown> = {}) => ({
  vin: `1FTFW1ET5DF${String(++made).padStart(6, '0')}`,
  make: 'Ford',
  carModel: 'F-150',
  year: 2013,
  trim: 'XLT',
  mileage: 91_000,
  color: 'Blue',
  zipCode: '48201',
  payoff: false,
  ...fields,
})

export const aTrade = (owner: TestPerson, fields?: Record<string, unknown>): Promise<Trade> =>
  owner.ask(addTrade, { body: aTradeForm(fields) })

/** The requests that lead a trade to each status. Prices are in dollars. */
const steps: Record<TradeStatus, readonly Step[]> = {
  PENDING: [],
  OFFERED: [{ by: 'wholesaler', status: 'OFFERED', price: 20_000 }],
  OFFER: [
    { by: 'wholesaler', status: 'OFFERED', price: 20_000 },
    { by: 'owner', status: 'OFFER', price: 21_500 },
  ],
  ACCEPTED: [
    { by: 'wholesaler', status: 'OFFERED', price: 20_000 },
    { by: 'owner', status: 'ACCEPTED' },
  ],
  REJECTED: [
    { by: 'wholesaler', status: 'OFFERED', price: 20_000 },
    { by: 'owner', status: 'REJECTED' },
  ],
}
type Step = { by: 'owner' | 'wholesaler'; status: TradeStatus; price?: number }

export async function aTradeAt(
  status: TradeStatus,
  people: { owner: TestPerson; wholesaler: TestPerson },
  fields?: Record<string, unknown>,
): Promise<Trade> {
  let trade = await aTrade(people.owner, fields)
  for (const { by, ...wish } of steps[status])
    trade = await people[by].ask(moveTrade, { params: { tradeId: trade._id }, body: wish })
  return trade
}

export const sendTradeMove = (person: Browser, trade: { _id: string }, body: object) =>
  person.send(moveTrade, { params: { tradeId: trade._id }, body })

export async function statusAndCode(sent: Promise<{ status: number; body: string }>) {
  const { status, body } = await sent
  return [status, JSON.parse(body).errorCode]
}

export const readTradeEvents = ({ query }: TestServer, tradeId: string) =>
  query<{ event: string }>('select event from trade_events where trade_id = $1 order by version', [tradeId])
