import type { Shot } from '../load.ts'
import { cookieOf, type Examples } from './examples.ts'

/** `at`: the how-manieth shot of this kind it is, so that each moves something else. `uses`: it uses up what it moves. */
export type Kind = { name: string; expects: number; uses?: true; shot: (at: number) => Shot | Promise<Shot> }

const wholesaler = cookieOf('w1@example.com')

/** `hundredth` leads to the hundredth page of a list. */
export function kindsFor(
  examples: Examples,
  administrator: () => Promise<string>,
  hundredth: (path: string, cookie: string) => Promise<string>,
): Kind[] {
  const { listed, asked, begun, sold, trades } = examples
  const deal = first(listed)
  const past = first(sold)
  const trade = first(trades.slice(-1))
  const [seller, buyer] = [cookieOf(deal.sellerEmail), cookieOf(deal.buyerEmail)]
  const [soldBy, boughtBy] = [cookieOf(past.sellerEmail), cookieOf(past.buyerEmail)]

  const get = (name: string, path: string, cookie = ''): Kind => ({
    name,
    expects: 200,
    shot: () => ({ method: 'GET', path, headers: { cookie, 'sec-fetch-site': 'same-origin' } }),
  })
  /** With the cookie of whoever is signed in by then. */
  const getAs = (name: string, path: string, cookie: () => Promise<string>): Kind => ({
    name,
    expects: 200,
    shot: async () => ({
      method: 'GET',
      path,
      headers: { cookie: await cookie(), 'sec-fetch-site': 'same-origin' },
    }),
  })
  const list = (name: string, path: string, cookie: () => Promise<string>): Kind[] => {
    const page = `${path}${path.includes('?') ? '&' : '?'}limit=10`
    let far: Promise<string> | undefined
    return [
      getAs(`${name}, page 1`, page, cookie),
      {
        name: `${name}, page 100`,
        expects: 200,
        shot: async () => {
          far ??= cookie().then((own) => hundredth(page, own))
          return getAs(name, await far, cookie).shot(0)
        },
      },
    ]
  }
  const write = (
    name: string,
    expects: number,
    make: (at: number) => { method: string; path: string; cookie: string; body: object },
  ): Kind => ({
    name,
    expects,
    shot: (at) => {
      const { method, path, cookie, body } = make(at)
      const headers = { cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
      return { method, path, headers, body: JSON.stringify(body) }
    },
  })
  const using = (...parts: Parameters<typeof write>): Kind => ({ ...write(...parts), uses: true })
  const ofCar = `${deal.sellerId}/${deal.vin}`
  const ofSold = `${past.sellerId}/${past.vin}`

  return [
    get('GET /cars/public/:userId/:vin', `/cars/public/${ofCar}`),
    get('GET /car', `/car?userId=${deal.sellerId}&vin=${deal.vin}`),
    get('GET /user', '/user', buyer),
    get('GET /notifications/unread', '/notifications/unread', seller),
    get('GET /notifications', '/notifications', seller),
    get('GET /cars/:userId', `/cars/${deal.sellerId}`, seller),
    get('GET /cars/vin/:vin', `/cars/vin/${deal.vin}`, seller),
    get('GET /cars/requests/:carId', `/cars/requests/${deal.carId}`, seller),
    get('GET /seller/:id', `/seller/${deal.sellerId}`, seller),
    get('GET /buyer/:id', `/buyer/${deal.buyerId}`, buyer),
    get('GET /progress/:userId/:vin', `/progress/${ofCar}`, buyer),
    get('GET /progress/timeline/:userId/:vin', `/progress/timeline/${ofCar}`, buyer),
    get('GET /messages/:dealId', `/messages/${deal.dealId}`, buyer),
    get('GET /trades/user/:userId', `/trades/user/${trade.ownerId}`, cookieOf(trade.ownerEmail)),
    get('GET /trades/available/:userId', `/trades/available/${deal.buyerId}`, buyer),
    get('GET /trades/:tradeId/history', `/trades/${trade.tradeId}/history`, cookieOf(trade.ownerEmail)),
    get('GET /progress/:userId/:vin of a sold car', `/progress/${ofSold}`, boughtBy),
    get('GET /progress/pkg/id/:userId/:vin', `/progress/pkg/id/${ofSold}`, soldBy),
    get('GET /user/mail', '/user/mail', buyer),
    get('GET /consent', '/consent', buyer),
    get('GET /notifications/unread of a wholesaler', '/notifications/unread', wholesaler),
    ...list('GET /notifications of a wholesaler', '/notifications', async () => wholesaler),
    ...list('GET /trades', '/trades', async () => wholesaler),
    ...list('GET /trades?status=ACCEPTED', '/trades?status=ACCEPTED', async () => wholesaler),
    ...list('GET /cars/all/cars', '/cars/all/cars', async () => wholesaler),
    ...list('GET /progress/all', '/progress/all', async () => wholesaler),
    getAs('GET /admin/mails', '/admin/mails', administrator),
    getAs('GET /admin/mails/queue', '/admin/mails/queue', administrator),
    getAs('GET /admin/wholesalers', '/admin/wholesalers', administrator),
    getAs('GET /admin/dealers', '/admin/dealers', administrator),
    ...list('GET /admin/deliveries', '/admin/deliveries', administrator),
    ...list('GET /desk/deals', '/desk/deals', administrator),
    getAs('GET /admin/reports', '/admin/reports', administrator),
    write('PUT /cars/update-price/:carId', 200, (at) => ({
      method: 'PUT',
      path: `/cars/update-price/${deal.carId}`,
      cookie: seller,
      body: { newPrice: 5000 + at },
    })),
    write('PUT /cars/describe/:carId', 200, (at) => ({
      method: 'PUT',
      path: `/cars/describe/${deal.carId}`,
      cookie: seller,
      body: { description: `Description ${at}` },
    })),
    write('POST /messages/:dealId', 201, (at) => ({
      method: 'POST',
      path: `/messages/${deal.dealId}`,
      cookie: buyer,
      body: { text: `Message ${at}` },
    })),
    write('PATCH /user/edit', 200, (at) => ({
      method: 'PATCH',
      path: '/user/edit',
      cookie: buyer,
      body: { firstName: `P${String.fromCharCode(97 + (at % 26))}` },
    })),
    using('POST /cars/request', 201, (at) => {
      const { vin, sellerId, buyerEmail } = first(begun.slice(at))
      return {
        method: 'POST',
        path: '/cars/request',
        cookie: cookieOf(buyerEmail),
        body: { vin, sellerId, price: 5500 },
      }
    }),
    using('PATCH /cars/buyer', 200, (at) => {
      const { vin, sellerId, sellerEmail, buyerId } = first(asked.slice(at))
      return {
        method: 'PATCH',
        path: '/cars/buyer',
        cookie: cookieOf(sellerEmail),
        body: { userId: sellerId, vin, status: 'ACCEPTED', buyerId },
      }
    }),
    using('PATCH /trades/:tradeId', 200, (at) => {
      const { tradeId } = first(trades.slice(at))
      return {
        method: 'PATCH',
        path: `/trades/${tradeId}`,
        cookie: wholesaler,
        body: { status: 'OFFERED', price: 4000 },
      }
    }),
  ]
}

function first<T>([one]: readonly T[]): T {
  if (one === undefined) throw new Error('The world is too small for so many shots')
  return one
}
