import pg from 'pg'

type Deal = {
  dealId: string
  carId: string
  vin: string
  sellerId: string
  buyerId: string
  sellerEmail: string
  buyerEmail: string
}
type Trade = { tradeId: string; ownerId: string; ownerEmail: string }
/** `asked` are pending requests, `begun` are purchases without a request; one per car. */
type Examples = { listed: Deal[]; asked: Deal[]; begun: Deal[]; sold: Deal[]; trades: Trade[] }

/** `isConsuming`: each request uses up a row, so it cannot be repeated. */
export type MeasuredEndpoint = {
  name: string
  method: string
  isConsuming?: boolean
  request: (i: number) => { path: string; cookie: string; body?: object }
}

/** Finds deals and trades of signed-in people. The first ones are the same in every database. */
export async function findExamples(url: string, limit: number): Promise<Examples> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const deals = async (condition: string) => {
    const { rows } = await client.query<Deal>(
      `select * from (select distinct on (c.id) c.created_at, d.id as "dealId", c.id as "carId", c.vin, d.seller_id as "sellerId", d.buyer_id as "buyerId",
         seller.email as "sellerEmail", buyer.email as "buyerEmail"
       from deals d join cars c on c.id = d.car_id join users seller on seller.id = d.seller_id join users buyer on buyer.id = d.buyer_id
       join sessions ss on ss.user_id = d.seller_id and ss.ended_at is null join sessions sb on sb.user_id = d.buyer_id and sb.ended_at is null
       where d.withdrawn_at is null and c.deleted_at is null and ${condition} order by c.id) as deals
       order by length("sellerEmail"), "sellerEmail", created_at limit ${limit}`,
    )
    return rows
  }
  const isListed = `c.completed_at is null and not exists (select from deals o where o.car_id = c.id and o.status in ('ACCEPTED', 'COMPLETED'))`
  const { rows: trades } = await client.query<Trade>(
    `select t.id as "tradeId", t.owner_id as "ownerId", u.email as "ownerEmail" from trades t join users u on u.id = t.owner_id
     join sessions s on s.user_id = u.id and s.ended_at is null where t.status = 'PENDING' order by t.id limit ${limit}`,
  )
  const examples = {
    listed: await deals(`${isListed} and d.status = 'PENDING'`),
    asked: await deals(`${isListed} and d.status = 'PENDING' and c.id < '8'`),
    begun: await deals(`${isListed} and d.status = 'STARTED' and c.id > '8'`),
    sold: await deals(`d.status = 'COMPLETED'`),
    trades,
  }
  await client.end()
  return examples
}

export function measuredEndpoints(
  { listed, asked, begun, sold, trades }: Examples,
  administrator: string,
): MeasuredEndpoint[] {
  const [deal, soldDeal, trade] = [at(listed, 0), at(sold, 0), at(trades, trades.length - 1)]
  const [seller, buyer, owner] = [deal.sellerEmail, deal.buyerEmail, trade.ownerEmail].map(cookieOf)
  const wholesaler = cookieOf('w1@example.com')
  const get = (name: string, cookie = '', path = name): MeasuredEndpoint => ({
    name: `GET ${name}`,
    method: 'GET',
    request: () => ({ path, cookie }),
  })
  const change = (
    name: string,
    cookie = '',
    path: string,
    body: (i: number) => object,
  ): MeasuredEndpoint => ({
    name,
    method: name.split(' ')[0] ?? '',
    request: (i) => ({ path, cookie, body: body(i) }),
  })
  const changeOnce = (name: string, request: MeasuredEndpoint['request']): MeasuredEndpoint => ({
    name,
    method: name.split(' ')[0] ?? '',
    isConsuming: true,
    request,
  })
  const carPath = `${deal.sellerId}/${deal.vin}`
  return [
    get('/cars/public/:userId/:vin', '', `/cars/public/${carPath}`),
    get('/car', '', `/car?userId=${deal.sellerId}&vin=${deal.vin}`),
    get('/notifications', seller),
    get('/cars/:userId', seller, `/cars/${deal.sellerId}`),
    get('/buyer/:id', buyer, `/buyer/${deal.buyerId}`),
    get('/progress/:userId/:vin', buyer, `/progress/${carPath}`),
    get('/progress/timeline/:userId/:vin', buyer, `/progress/timeline/${carPath}`),
    get(
      '/progress/pkg/id/:userId/:vin',
      cookieOf(soldDeal.sellerEmail),
      `/progress/pkg/id/${soldDeal.sellerId}/${soldDeal.vin}`,
    ),
    get('/trades/:tradeId/history', owner, `/trades/${trade.tradeId}/history`),
    get('/trades?limit=10', wholesaler),
    get('/trades?status=ACCEPTED&limit=10', wholesaler),
    get('/cars/all/cars?limit=10', wholesaler),
    get('/progress/all?limit=10', wholesaler),
    get('/notifications?limit=10', wholesaler),
    get('/admin/mails', administrator),
    get('/admin/deliveries?limit=10', administrator),
    get('/desk/deals?limit=10', administrator),
    change('PUT /cars/update-price/:carId', seller, `/cars/update-price/${deal.carId}`, (i) => ({
      newPrice: 5000 + i,
    })),
    change('POST /messages/:dealId', buyer, `/messages/${deal.dealId}`, (i) => ({ text: `Message ${i}` })),
    changeOnce('POST /cars/request', (i) => {
      const { vin, sellerId, buyerEmail } = at(begun, i)
      return { path: '/cars/request', cookie: cookieOf(buyerEmail), body: { vin, sellerId, price: 5500 } }
    }),
    changeOnce('PATCH /cars/buyer', (i) => {
      const { vin, sellerId, sellerEmail, buyerId } = at(asked, i)
      const body = { userId: sellerId, vin, status: 'ACCEPTED', buyerId }
      return { path: '/cars/buyer', cookie: cookieOf(sellerEmail), body }
    }),
    changeOnce('PATCH /trades/:tradeId', (i) => ({
      path: `/trades/${at(trades, i).tradeId}`,
      cookie: wholesaler,
      body: { status: 'OFFERED', price: 4000 },
    })),
  ]
}

function at<T>(examples: readonly T[], i: number): T {
  const example = examples[i]
  if (example === undefined) throw new Error('The database is too small for so many requests')
  return example
}

/** Returns the session cookie that `fill-database.sql` creates for this address. */
function cookieOf(email: string): string {
  const [name = ''] = email.split('@')
  return `at=${`access${name.toUpperCase()}`.padEnd(43, '_')}`
}
