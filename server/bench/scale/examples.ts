import type pg from 'pg'

type Deal = {
  dealId: string
  carId: string
  vin: string
  sellerId: string
  buyerId: string
  sellerEmail: string
  buyerEmail: string
  packageId: string | null
}
type Trade = { tradeId: string; vin: string; ownerId: string; ownerEmail: string }
/** `asked`: requests that wait for their seller; `begun`: purchases before their request. Of each car one. */
export type Examples = { listed: Deal[]; asked: Deal[]; begun: Deal[]; sold: Deal[]; trades: Trade[] }

/** Deals and trades of people who are signed in, to be read and moved; the first ones are the same in every world. */
export async function findExamples(pool: pg.Pool, most: number): Promise<Examples> {
  const deals = async (condition: string) => {
    const { rows } = await pool.query<Deal>(
      `select * from (select distinct on (c.id) c.created_at, d.id as "dealId", c.id as "carId", c.vin, d.seller_id as "sellerId", d.buyer_id as "buyerId",
         seller.email as "sellerEmail", buyer.email as "buyerEmail", d.package_id as "packageId"
       from deals d join cars c on c.id = d.car_id join users seller on seller.id = d.seller_id join users buyer on buyer.id = d.buyer_id
       join sessions ss on ss.user_id = d.seller_id and ss.ended_at is null join sessions sb on sb.user_id = d.buyer_id and sb.ended_at is null
       where d.withdrawn_at is null and c.deleted_at is null and ${condition} order by c.id) as deals
       order by length("sellerEmail"), "sellerEmail", created_at limit ${most}`,
    )
    return rows
  }
  const isListed = `c.completed_at is null and not exists (select from deals o where o.car_id = c.id and o.status in ('ACCEPTED', 'COMPLETED'))`
  const { rows: trades } = await pool.query<Trade>(
    `select t.id as "tradeId", t.vin, t.owner_id as "ownerId", u.email as "ownerEmail" from trades t join users u on u.id = t.owner_id
     join sessions s on s.user_id = u.id and s.ended_at is null where t.status = 'PENDING' order by t.id limit ${most}`,
  )
  return {
    listed: await deals(`${isListed} and d.status = 'PENDING'`),
    asked: await deals(`${isListed} and d.status = 'PENDING' and c.id < '8'`),
    begun: await deals(`${isListed} and d.status = 'STARTED' and c.id > '8'`),
    sold: await deals(`d.status = 'COMPLETED'`),
    trades,
  }
}

/** What `fillings.ts` gave whoever has this address. */
export function cookieOf(email: string): string {
  const [name = ''] = email.split('@')
  return `at=${`access${name.toUpperCase()}`.padEnd(43, '_')}`
}
