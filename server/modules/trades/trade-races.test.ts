import { expect, test } from 'vitest'
import { raceRounds } from '../../../tests/cluster/rounds.ts'
import { startTwoServers } from '../../../tests/cluster/two-servers.ts'
import { aBuyer, aWholesaler, type TestPerson } from '../../../tests/support/people.ts'
import { aListing, aRequest } from '../../../tests/support/sales/deals.ts'
import { aTradeAt } from '../../../tests/support/trades.ts'

/** Uses two processes in turn. Each round has a trade, and each move names its version. */
const server = await startTwoServers()
const [owner, wholesaler, another] = await Promise.all([
  aBuyer(server),
  aWholesaler(server),
  aWholesaler(server),
])
const people = { owner, wholesaler }

type Answered = {
  status: number
  errorCode?: string
  price?: number | null
  salesTax?: number | null
  version?: number
}
async function send(who: TestPerson, method: string, path: string, body?: object): Promise<Answered> {
  const response = await fetch(`${server.address()}${path}`, {
    method,
    headers: {
      cookie: [...who.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const answer = (await response.json()) as Omit<Answered, 'status'>
  return { ...answer, status: response.status }
}
const move = (who: TestPerson, trade: { _id: string }, body: object) =>
  send(who, 'PATCH', `/trades/${trade._id}`, body)

/** Expects exactly one 2xx; all other answers fail with one of these codes. */
function oneWins(answers: readonly Answered[], codes: readonly string[]): Answered {
  const winners = answers.filter(({ status }) => status < 300)
  expect(winners, JSON.stringify(answers)).toHaveLength(1)
  for (const { status, errorCode } of answers.filter((answer) => !winners.includes(answer)))
    expect(codes, JSON.stringify(answers)).toContain(`${status} ${errorCode}`)
  return winners[0] as Answered
}

type Stored = {
  status: string
  price_cents: number | null
  tax_credit_cents: number | null
  deleted: boolean
  events: string[]
}
async function stored(id: string): Promise<Stored> {
  const [row] = await server.query<Stored>(
    `select status, price_cents, tax_credit_cents, deleted_at is not null as deleted,
       array(select event from trade_events where trade_id = trades.id order by version) as events
     from trades where id = $1`,
    [id],
  )
  return row as Stored
}

// R-safe-4
test.each([true, false])(
  'accepts only one of a concurrent acceptance, counter and rejection, with versions: %s',
  async (named) => {
    for (let round = 0; round < raceRounds; round++) {
      const trade = await aTradeAt('OFFERED', people)
      const seen = named ? { version: trade.version } : {}
      const answers = await Promise.all([
        move(owner, trade, { status: 'ACCEPTED', price: 20_000, salesTax: 1, ...seen }),
        move(owner, trade, { status: 'OFFER', price: 21_500, salesTax: 1, ...seen }),
        move(owner, trade, { status: 'REJECTED', ...seen }),
      ])
      // Without a version, a rejection after a counter is valid too.
      const [accepted, countered, rejected] = answers.map(({ status }) => status < 300)
      const row = await stored(trade._id)
      if (!named && countered && rejected) {
        expect(accepted).toBe(false)
        expect(row).toMatchObject({ status: 'REJECTED', price_cents: 2_150_000, tax_credit_cents: 60_000 })
        continue
      }
      oneWins(answers, named ? ['409 StaleVersion'] : ['409 InvalidTransition'])
      expect(row).toEqual({
        status: accepted ? 'ACCEPTED' : countered ? 'OFFER' : 'REJECTED',
        price_cents: countered ? 2_150_000 : 2_000_000,
        tax_credit_cents: 60_000,
        deleted: false,
        events: ['submit', 'offer', accepted ? 'accept' : countered ? 'counter' : 'reject'],
      })
    }
  },
)

test.each([true, false])(
  'accepts only one of two wholesalers’ concurrent offers, with versions: %s',
  async (named) => {
    for (let round = 0; round < raceRounds; round++) {
      const trade = await aTradeAt('PENDING', people, { zipCode: '10001' })
      const seen = named ? { version: trade.version } : {}
      const winner = oneWins(
        await Promise.all([
          move(wholesaler, trade, { status: 'OFFERED', price: 20_000, ...seen }),
          move(another, trade, { status: 'OFFERED', price: 19_000.5, ...seen }),
        ]),
        named ? ['409 StaleVersion'] : ['409 InvalidTransition'],
      )
      const row = await stored(trade._id)
      expect(row.price_cents).toBe((winner.price ?? 0) * 100)
      expect(row.tax_credit_cents).toBe(winner.price === 20_000 ? 80_000 : 76_002)
      expect(row.events).toEqual(['submit', 'offer'])
    }
  },
)

test('resolves an offer that is concurrent with a deletion', async () => {
  for (let round = 0; round < raceRounds; round++) {
    const trade = await aTradeAt('PENDING', people)
    const [offered, deleted] = await Promise.all([
      move(wholesaler, trade, { status: 'OFFERED', price: 20_000, version: trade.version }),
      send(owner, 'DELETE', `/trades/${trade.vin}?version=${trade.version}`),
    ])
    const winner = oneWins([offered, deleted], ['409 StaleVersion', '404 NotFound'])
    expect(await stored(trade._id)).toMatchObject(
      winner === deleted
        ? { status: 'PENDING', price_cents: null, deleted: true, events: ['submit', 'delete'] }
        : { status: 'OFFERED', price_cents: 2_000_000, deleted: false, events: ['submit', 'offer'] },
    )
  }
})

/** A buyer with requests for two cars, and a function that resends each with these trades. */
async function twoPurchases() {
  const buyer = await aBuyer(server)
  const aRequestTo = async () => {
    const sale = await aListing(server)
    await aRequest(sale, buyer, 4_800)
    return (trades: string[]) => {
      const body = { vin: sale.car.vin, price: 4_800, buyerId: buyer.id, trades }
      return send(buyer, 'POST', '/cars/request', body)
    }
  }
  return { buyer, requestOne: await aRequestTo(), requestOther: await aRequestTo() }
}
const attachedTo = (id: string) => server.query('select deal_id from deal_trades where trade_id = $1', [id])

// R-safe-3
test('attaches a trade to at most one of two deals', async () => {
  const { buyer, requestOne, requestOther } = await twoPurchases()
  for (let round = 0; round < raceRounds; round++) {
    const trade = await aTradeAt('ACCEPTED', { owner: buyer, wholesaler })
    oneWins(await Promise.all([requestOne([trade.vin]), requestOther([trade.vin])]), ['409 TradeUnavailable'])
    expect(await attachedTo(trade._id)).toHaveLength(1)
  }
})

test('keeps a deleted trade out of all deals when a request is concurrent', async () => {
  const { buyer, requestOne, requestOther } = await twoPurchases()
  for (let round = 0; round < raceRounds; round++) {
    const trade = await aTradeAt('ACCEPTED', { owner: buyer, wholesaler })
    // In every other round, the trade is attached to the other request and has to be removed from
    // that one first.
    if (round % 2) expect((await requestOther([trade.vin])).status).toBe(200)
    const [requested, deleted] = await Promise.all([
      requestOne([trade.vin]),
      send(buyer, 'DELETE', `/trades/${trade.vin}`),
    ])
    expect(deleted.status, JSON.stringify(deleted)).toBe(200)
    if (requested.status !== 200)
      expect(`${requested.status} ${requested.errorCode}`).toBe('409 TradeUnavailable')
    expect(await attachedTo(trade._id)).toEqual([])
    expect((await stored(trade._id)).deleted).toBe(true)
  }
})
