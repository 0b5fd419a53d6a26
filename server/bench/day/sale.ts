import { buyerSigns, listCar, type Person, sellerSigns } from '../../faults/sales.ts'
import type { Thinking } from './visitors.ts'

export type Couple = { seller: Person; buyer: Person }

export const changesASale = 10

const nowhere = { baseUrl: '' }

/** From the listing to both signatures: the most usual sale, without a trade and without photos. */
export async function sellOne(thinking: Thinking, { seller, buyer }: Couple): Promise<void> {
  const as =
    ({ cookie }: Person) =>
    (method: string, path: string, body: object) =>
      thinking.change(nowhere, cookie, { method, path, body })
  const [sells, buys] = [as(seller), as(buyer)]
  const { carId, vin } = await listCar(nowhere, thinking, seller)
  const at = { userId: seller.id, vin }
  const step = (act: typeof sells, data: object) => act('PATCH', '/progress/update', { ...at, data })
  await buys('PATCH', '/progress/add', at)
  await step(buys, { userType: 'BUYER', step: [0, 1, 2, 3], hasTrade: false })
  await step(buys, { userType: 'BUYER', step: [0, 1, 2, 3, 4, 5], needsFinancing: false })
  await buys('POST', '/cars/request', { vin, price: 9000, buyerId: buyer.id, trades: [] })
  await sells('PUT', `/cars/update-price/${carId}`, { newPrice: 9300 })
  await sells('PATCH', '/cars/buyer', { ...at, buyerId: buyer.id, status: 'ACCEPTED' })
  await step(sells, sellerSigns)
  await step(buys, buyerSigns)
}
