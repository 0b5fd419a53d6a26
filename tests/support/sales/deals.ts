import { addCar, type Car } from '@keyturn/contract/cars/endpoints.ts'
import * as calls from '@keyturn/contract/deals/endpoints.ts'
import { computeCheckDigit } from '@keyturn/contract/shared/vin.ts'
import type { Browser } from '../browser.ts'
import { aBuyer, anAdministrator, aSeller, type TestPerson, type TestServerLike } from '../people.ts'
import type { TestServer } from '../test-server.ts'

let counter = 0

/** Generates a unique VIN with a valid check digit. */
export function aVin(): string {
  const serial = String(++counter).padStart(6, '0')
  const vin = `1HGCM8260${'3A'}${serial}`
  return vin.slice(0, 8) + (computeCheckDigit(vin) ?? '0') + vin.slice(9)
}

export const aCarForm = (fields: object = {}) => ({
  vin: aVin(),
  make: 'Honda',
  carModel: 'Accord',
  year: 2003,
  trim: 'EX',
  mileage: 91_000,
  color: 'Silver',
  payoff: false,
  price: 9500,
  ...fields,
})

export const aCar = (seller: TestPerson, fields: object = {}): Promise<Car> =>
  seller.ask(addCar, { body: aCarForm(fields) })

/** A car with its seller and one buyer. `at` identifies the car in requests. */
export type Sale = { seller: TestPerson; buyer: TestPerson; car: Car; at: { userId: string; vin: string } }

export async function aListing(
  server: TestServerLike,
  fields: object = {},
  existingSeller?: TestPerson,
): Promise<Omit<Sale, 'buyer'>> {
  const seller = existingSeller ?? (await aSeller(server, { firstName: 'Selma', lastName: 'Sanders' }))
  const car = await aCar(seller, fields)
  return { seller, car, at: { userId: seller.id, vin: car.vin } }
}

const stages = ['started', 'requested', 'confirmed', 'sellerSigned', 'passed', 'completed'] as const
export type SaleStage = (typeof stages)[number]

/** Creates a sale at `stage` by the requests of both parties, who may be given. */
export async function aSaleAt(
  server: TestServer,
  stage: SaleStage,
  carFields: object = {},
  people: Partial<Pick<Sale, 'seller' | 'buyer'>> = {},
): Promise<Sale> {
  const listing = await aListing(server, carFields, people.seller)
  const buyer = people.buyer ?? (await aBuyer(server, { firstName: 'Basil', lastName: 'Byrd' }))
  const sale = { ...listing, buyer }
  const ownText = server.deps.config.legalTexts?.agreement.textVersion
  const steps: Record<SaleStage, () => Promise<unknown>> = {
    started: () => buyer.ask(calls.startProgress, { body: sale.at }),
    requested: () => aRequest(sale, buyer, 9000),
    confirmed: () => confirmBuyer(sale),
    sellerSigned: () => signAsSeller(sale, undefined, ownText),
    passed: () => signAsBuyer(sale, undefined, ownText),
    completed: () => completeSale(server, sale),
  }
  for (const updateProgress of stages.slice(0, stages.indexOf(stage) + 1)) await steps[updateProgress]()
  return sale
}

/** Completes the wizard without financing, including the request, with the trades of these VINs. */
export async function aRequest(
  sale: Pick<Sale, 'at' | 'car'>,
  buyer: TestPerson,
  price: number,
  trades: string[] = [],
): Promise<Car> {
  const { at, car } = sale
  await buyer.ask(calls.startProgress, { body: at })
  if (trades.length === 0) await step(buyer, at, { step: [0, 1, 2, 3], hasTrade: false })
  else {
    await step(buyer, at, { step: [0, 1], hasTrade: true })
    await step(buyer, at, { step: [0, 1, 2, 3], tradeVins: trades })
  }
  await step(buyer, at, { step: [0, 1, 2, 3, 4, 5], needsFinancing: false })
  return buyer.ask(calls.requestCar, { body: { vin: car.vin, price, sellerId: at.userId, trades } })
}

export const step = (person: Browser, at: Sale['at'], data: object) =>
  person.ask(calls.updateProgress, { body: { ...at, data: { userType: 'BUYER', ...data } } })

export const tryToUpdateProgress = (person: Browser, at: Sale['at'], data: object) =>
  person.send(calls.updateProgress, { body: { ...at, data: { userType: 'BUYER', ...data } } })

export const confirmBuyer = ({ seller, buyer, at }: Sale) =>
  seller.ask(calls.decideRequest, { body: { ...at, buyerId: buyer.id, status: 'ACCEPTED' } })

export const sellerSignature = (name = 'Selma Sanders') => ({
  userType: 'SELLER',
  step: [0, 1, 2],
  agreementSigned: true,
  sellerSigned: true,
  sellerSignedName: name,
  sellerSignature: name,
  consent: true,
})
export const buyerSignature = (name = 'Basil Byrd') => ({
  userType: 'BUYER',
  step: [0, 1, 2, 3, 4, 5, 6, 7],
  agreementSigned: true,
  buyerSigned: true,
  buyerSignedName: name,
  buyerSignature: name,
  consent: true,
})

/** `textVersion` is required where the operator's own text is signed. */
export const signAsSeller = ({ seller, at }: Sale, name?: string, textVersion?: string) =>
  seller.ask(calls.updateProgress, { body: { ...at, data: { ...sellerSignature(name), textVersion } } })
export const signAsBuyer = ({ buyer, at }: Sale, name?: string, textVersion?: string) =>
  buyer.ask(calls.updateProgress, { body: { ...at, data: { ...buyerSignature(name), textVersion } } })

/** Completes a deal that both parties signed, as the administrator. */
export async function completeSale(server: TestServer, sale: Sale) {
  const { pkgId } = await readProgressOf(sale)
  const administrator = await anAdministrator(server)
  return administrator.ask(calls.completeDeal, { params: { pkgId: pkgId ?? '' } })
}

/** Changes the buyer's price, or sends the request again. */
export const offerPrice = ({ buyer, at }: Sale, price: number) =>
  buyer.ask(calls.decideRequest, { body: { ...at, price, status: 'PENDING' } })

/** Denies the request, or releases a confirmed buyer. */
export const turnDown = ({ seller, buyer, at }: Sale) =>
  seller.ask(calls.decideRequest, { body: { ...at, buyerId: buyer.id, status: 'REJECTED' } })

export async function goBack({ buyer, at }: Sale, ...stages: number[]) {
  for (const stage of stages) await step(buyer, at, { step: [stage], goBack: true })
}

export const readProgressOf = ({ buyer, at }: Sale) => buyer.ask(calls.getProgress, { params: at })
