import { checkDigit } from '@keyturn/contract/kit/vin.ts'
import { type Ledger, Refused } from './ledger.ts'

export type Person = { id: string; cookie: string }
export type Couple = { seller: Person; buyer: Person }
/** A sale that both have signed, as its answers told it. */
export type Sale = { vin: string; carId: string; pkgId: string }

/** Where the server is; a case may change it while sales go on. */
export type Where = { baseUrl: string }

let serial = 0

/** Sells one car after the other between two people until it is told to stop; the last sale is finished. */
export async function sellCars(
  where: Where,
  ledger: Ledger,
  couple: Couple,
  isOver: () => boolean,
): Promise<Sale[]> {
  const sales: Sale[] = []
  while (!isOver()) {
    try {
      sales.push(await sell(where, ledger, couple))
    } catch (error) {
      if (!(error instanceof Refused)) throw error
    }
  }
  return sales
}

/** From the listing to both signatures: nine changes, each of which must happen once. */
async function sell(where: Where, ledger: Ledger, couple: Couple): Promise<Sale> {
  const { carId, at } = await sellUntilHeld(where, ledger, couple)
  const { pkgId } = await changer(where, ledger, couple.buyer)('PATCH', '/progress/update', {
    ...at,
    data: {
      userType: 'BUYER',
      step: [1, 2, 3, 4, 5, 6, 7],
      agreementSigned: true,
      buyerSigned: true,
      buyerSignedName: 'Bea Buyer',
      buyerSignature: 'Bea Buyer',
    },
  })
  return { vin: at.vin, carId, pkgId: String(pkgId) }
}

/** A sale up to the seller's signature: the 72 hours run. */
export async function sellUntilHeld(where: Where, ledger: Ledger, { seller, buyer }: Couple) {
  const sells = changer(where, ledger, seller)
  const buys = changer(where, ledger, buyer)
  const { carId, vin } = await listCar(where, ledger, seller)
  const at = { userId: seller.id, vin }
  const step = (data: object) =>
    buys('PATCH', '/progress/update', { ...at, data: { userType: 'BUYER', ...data } })
  await buys('PATCH', '/progress/add', at)
  await step({ step: [0, 1, 2, 3], hasTrade: false })
  await step({ step: [0, 1, 2, 3, 4, 5], needsFinancing: false })
  await buys('POST', '/cars/request', { vin, price: 9000, buyerId: buyer.id, trades: [] })
  await sells('PUT', `/cars/update-price/${carId}`, { newPrice: 9300 })
  await sells('PATCH', '/cars/buyer', { ...at, buyerId: buyer.id, status: 'ACCEPTED' })
  await sells('PATCH', '/progress/update', {
    ...at,
    data: {
      userType: 'SELLER',
      step: [0, 1, 2],
      agreementSigned: true,
      sellerSigned: true,
      sellerSignedName: 'Sam Seller',
      sellerSignature: 'Sam Seller',
    },
  })
  return { carId, at }
}

export async function listCar(where: Where, ledger: Ledger, seller: Person) {
  const vin = aVin()
  const car = await changer(where, ledger, seller)('POST', '/cars/input', {
    vin,
    make: 'Honda',
    carModel: 'Accord',
    year: 2003,
    trim: 'EX',
    mileage: 91_000,
    color: 'Silver',
    payoff: false,
    price: 9500,
  })
  return { carId: String(car._id), vin }
}

const changer =
  (where: Where, ledger: Ledger, { cookie }: Person) =>
  (method: string, path: string, body: object) =>
    ledger.change(where, cookie, { method, path, body })

function aVin(): string {
  const vin = `1HGCM82603A${String(++serial).padStart(6, '0')}`
  return vin.slice(0, 8) + (checkDigit(vin) ?? '0') + vin.slice(9)
}
