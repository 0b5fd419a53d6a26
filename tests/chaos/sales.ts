import { answerDeal } from '@keyturn/contract/dealers/dealer-api.ts'
import { signDealerRequest } from '../support/dealers/dealer-client.ts'
import { aPicture } from '../support/pictures.ts'
import { aCarForm, aVin, buyerSignature, sellerSignature } from '../support/sales/deals.ts'
import { aTradeForm } from '../support/trades.ts'
import { dealerKey } from './external-systems.ts'
import { type Ledger, RejectedChange } from './ledger.ts'

type Changes = Pick<Ledger, 'change'>

export type Person = { id: string; cookie: string }
export type Traders = { seller: Person; buyer: Person; rival: Person; wholesaler: Person }
/** A sale that both parties signed, according to the responses. */
export type Sale = { vin: string; tradeVin: string; pkgId: string; hasDealerSteps: boolean }

/** The server's address, which a case may change during sales. */
export type Target = { baseUrl: string; hasNoDealerSteps?: boolean }

/** Sells one car after another until `isOver`. The last sale is finished. */
export async function sellCars(
  target: Target,
  ledger: Ledger,
  traders: Traders,
  isOver: () => boolean,
): Promise<Sale[]> {
  const sales: Sale[] = []
  while (!isOver()) {
    try {
      sales.push(await sell(target, ledger, traders))
    } catch (error) {
      if (!(error instanceof RejectedChange)) throw error
    }
  }
  return sales
}

/** Runs a sale from the listing to the dealer's last step: over twenty changes, each made once. */
async function sell(target: Target, ledger: Ledger, traders: Traders): Promise<Sale> {
  const { winner, at, tradeVin } = await sellUntilHold(target, ledger, traders, traders.rival)
  const { pkgId } = await changesOf(target, ledger, winner)('PATCH', '/progress/update', {
    ...at,
    data: buyerSignature('Bea Buyer'),
  })
  const hasDealerSteps = !target.hasNoDealerSteps
  for (const step of hasDealerSteps ? ['accepted', 'paidSeller'] : [])
    await sendDealerStep(target, ledger, String(pkgId), { pkgId, step })
  return { vin: at.vin, tradeVin, pkgId: String(pkgId), hasDealerSteps }
}

/** Sends a step of the dealer, signed with its key. A repeat has the same id. */
async function sendDealerStep(target: Target, ledger: Ledger, pkgId: string, body: object): Promise<void> {
  const headers = signDealerRequest(answerDeal, { params: { pkgId }, body }, dealerKey)
  await ledger.change(target, '', { method: 'POST', path: `/partner/deals/${pkgId}`, body, headers })
}

/**
 * Runs a sale until the seller's signature starts the 72-hour hold. With a rival, both buyers send
 * requests and are confirmed at the same time.
 */
export async function sellUntilHold(
  target: Target,
  ledger: Ledger,
  { seller, buyer, wholesaler }: Traders,
  rival?: Person,
) {
  const changeAsSeller = changesOf(target, ledger, seller)
  const { carId, vin } = await listCar(target, ledger, seller)
  await changeAsSeller('POST', `/cars/photos/${carId}`, await aPicture())
  const at = { userId: seller.id, vin }
  const buyers = rival ? [buyer, rival] : [buyer]
  const tradeVins: string[] = []
  for (const one of buyers) {
    const trade = await createAcceptedTrade(target, ledger, one, wholesaler)
    tradeVins.push(trade)
    await requestWithTrade(changesOf(target, ledger, one), at, one, trade)
  }
  await changeAsSeller('PUT', `/cars/update-price/${carId}`, { newPrice: 9300 })
  const confirmations = buyers.map(({ id }) => ({
    method: 'PATCH',
    path: '/cars/buyer',
    body: { ...at, buyerId: id, status: 'ACCEPTED' },
  }))
  const won = await ledger.race(target, seller.cookie, confirmations)
  await changeAsSeller('PATCH', '/progress/update', {
    ...at,
    data: sellerSignature('Sam Seller'),
  })
  return { carId, at, winner: buyers[won] ?? buyer, tradeVin: tradeVins[won] ?? '' }
}

type SendChange = ReturnType<typeof changesOf>

async function requestWithTrade(
  changeAsBuyer: SendChange,
  at: { userId: string; vin: string },
  { id }: Person,
  trade: string,
) {
  const step = (data: object) =>
    changeAsBuyer('PATCH', '/progress/update', { ...at, data: { userType: 'BUYER', ...data } })
  await changeAsBuyer('PATCH', '/progress/add', at)
  await step({ step: [0, 1], hasTrade: true })
  await step({ step: [0, 1, 2, 3], tradeVins: [trade] })
  await step({ step: [0, 1, 2, 3, 4, 5], needsFinancing: false })
  await changeAsBuyer('POST', '/cars/request', { vin: at.vin, price: 9000, buyerId: id, trades: [trade] })
}

/** Creates a trade, and accepts a wholesaler's offer for it. */
async function createAcceptedTrade(
  target: Target,
  ledger: Ledger,
  owner: Person,
  wholesaler: Person,
): Promise<string> {
  const vin = aVin()
  const trade = await changesOf(target, ledger, owner)('POST', '/trades', aTradeForm({ vin }))
  const path = `/trades/${trade._id}`
  await changesOf(target, ledger, wholesaler)('PATCH', path, { vin, status: 'OFFERED', price: 2000 })
  await changesOf(target, ledger, owner)('PATCH', path, { vin, status: 'ACCEPTED', price: 2000 })
  return vin
}

export async function listCar(target: Target, ledger: Changes, seller: Person) {
  const form = aCarForm()
  const car = await changesOf(target, ledger, seller)('POST', '/cars/input', form)
  return { carId: String(car._id), vin: form.vin }
}

const changesOf =
  (target: Target, ledger: Changes, { cookie }: Person) =>
  (method: string, path: string, body: object | Buffer) =>
    ledger.change(target, cookie, { method, path, body })
