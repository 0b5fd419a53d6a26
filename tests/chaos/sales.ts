import { answerDeal } from '@keyturn/contract/dealers/dealer-api.ts'
import { signatureOf } from '../support/dealers/partner.ts'
import { aPicture } from '../support/pictures.ts'
import { aCarForm, aVin, buyerSignature, sellerSignature } from '../support/sales/deals.ts'
import { aTradeForm } from '../support/trades.ts'
import { type Ledger, Refused } from './ledger.ts'
import { dealerKey } from './outside.ts'

type Changing = Pick<Ledger, 'change'>

export type Person = { id: string; cookie: string }
/** A seller and a buyer, a rival for the same cars, and a wholesaler. */
export type Couple = { seller: Person; buyer: Person; rival: Person; wholesaler: Person }
/** A sale that both parties signed and the dealer answered, according to the responses. */
export type Sale = { vin: string; tradeVin: string; pkgId: string; isAnswered: boolean }

/** The server's address, which a case may change during sales. */
export type Where = { baseUrl: string; isDealerSilent?: boolean }

/** Sells one car after another between two people until stopped. The last sale is finished. */
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

/** Runs a sale from the listing to the dealer's last step: over twenty changes, each made once. */
async function sell(where: Where, ledger: Ledger, couple: Couple): Promise<Sale> {
  const { winner, at, tradeVin } = await sellUntilHeld(where, ledger, couple, couple.rival)
  const { pkgId } = await changer(where, ledger, winner)('PATCH', '/progress/update', {
    ...at,
    data: buyerSignature('Bea Buyer'),
  })
  const isAnswered = !where.isDealerSilent
  for (const step of isAnswered ? ['accepted', 'paidSeller'] : [])
    await answer(where, ledger, String(pkgId), { pkgId, step })
  return { vin: at.vin, tradeVin, pkgId: String(pkgId), isAnswered }
}

/** Sends the dealer's answer, signed with its key. A repeat has the same id. */
async function answer(where: Where, ledger: Ledger, pkgId: string, body: object): Promise<void> {
  const headers = signatureOf(answerDeal, { params: { pkgId }, body }, dealerKey)
  await ledger.change(where, '', { method: 'POST', path: `/partner/deals/${pkgId}`, body, headers })
}

/**
 * Runs a sale until the seller's signature starts the 72-hour hold. With a rival, both buyers send
 * requests and are confirmed at the same time.
 */
export async function sellUntilHeld(
  where: Where,
  ledger: Ledger,
  { seller, buyer, wholesaler }: Couple,
  rival?: Person,
) {
  const sells = changer(where, ledger, seller)
  const { carId, vin } = await listCar(where, ledger, seller)
  await sells('POST', `/cars/photos/${carId}`, await aPicture())
  const at = { userId: seller.id, vin }
  const buyers = rival ? [buyer, rival] : [buyer]
  const tradeVins: string[] = []
  for (const one of buyers) {
    const trade = await tradeIn(where, ledger, one, wholesaler)
    tradeVins.push(trade)
    await ask(changer(where, ledger, one), at, one, trade)
  }
  await sells('PUT', `/cars/update-price/${carId}`, { newPrice: 9300 })
  const confirmations = buyers.map(({ id }) => ({
    method: 'PATCH',
    path: '/cars/buyer',
    body: { ...at, buyerId: id, status: 'ACCEPTED' },
  }))
  const won = await ledger.contest(where, seller.cookie, confirmations)
  await sells('PATCH', '/progress/update', {
    ...at,
    data: sellerSignature('Sam Seller'),
  })
  return { carId, at, winner: buyers[won] ?? buyer, tradeVin: tradeVins[won] ?? '' }
}

type Changer = ReturnType<typeof changer>

async function ask(buys: Changer, at: { userId: string; vin: string }, { id }: Person, trade: string) {
  const step = (data: object) =>
    buys('PATCH', '/progress/update', { ...at, data: { userType: 'BUYER', ...data } })
  await buys('PATCH', '/progress/add', at)
  await step({ step: [0, 1], hasTrade: true })
  await step({ step: [0, 1, 2, 3], tradeVins: [trade] })
  await step({ step: [0, 1, 2, 3, 4, 5], needsFinancing: false })
  await buys('POST', '/cars/request', { vin: at.vin, price: 9000, buyerId: id, trades: [trade] })
}

/** Creates a trade, and accepts a wholesaler's offer for it. */
async function tradeIn(where: Where, ledger: Ledger, owner: Person, wholesaler: Person): Promise<string> {
  const vin = aVin()
  const trade = await changer(where, ledger, owner)('POST', '/trades', aTradeForm({ vin }))
  const path = `/trades/${trade._id}`
  await changer(where, ledger, wholesaler)('PATCH', path, { vin, status: 'OFFERED', price: 2000 })
  await changer(where, ledger, owner)('PATCH', path, { vin, status: 'ACCEPTED', price: 2000 })
  return vin
}

export async function listCar(where: Where, ledger: Changing, seller: Person) {
  const form = aCarForm()
  const car = await changer(where, ledger, seller)('POST', '/cars/input', form)
  return { carId: String(car._id), vin: form.vin }
}

const changer =
  (where: Where, ledger: Changing, { cookie }: Person) =>
  (method: string, path: string, body: object | Buffer) =>
    ledger.change(where, cookie, { method, path, body })
