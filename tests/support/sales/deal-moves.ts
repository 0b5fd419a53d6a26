import * as carEndpoints from '@keyturn/contract/cars/endpoints.ts'
import * as calls from '@keyturn/contract/deals/endpoints.ts'
import { aBuyer, type TestPerson, type TestServerLike } from '../people.ts'
import { aRequest, readProgressOf, type Sale } from './deals.ts'

// Moves and reads of the parties of a deal. `try...` returns the response, which may be an error.

type Listing = Pick<Sale, 'seller' | 'car'>
type Purchase = Pick<Sale, 'buyer' | 'car'>

const removal = (userType: string, { id }: TestPerson, { vin }: Sale['car'], version?: number) => ({
  params: { userType, userId: id, vin },
  ...(version !== undefined && { query: { version } }),
})

export const removeListing = ({ seller, car }: Listing) =>
  seller.ask(calls.deleteCar, removal('SELLER', seller, car))
export const tryToRemoveListing = ({ seller, car }: Listing, version?: number) =>
  seller.send(calls.deleteCar, removal('SELLER', seller, car, version))
export const withdraw = ({ buyer, car }: Purchase) => buyer.ask(calls.deleteCar, removal('BUYER', buyer, car))
export const tryToWithdraw = ({ buyer, car }: Purchase, version?: number) =>
  buyer.send(calls.deleteCar, removal('BUYER', buyer, car, version))

const pricing = ({ _id: carId }: Sale['car'], newPrice: number, version?: number) => ({
  params: { carId },
  body: { newPrice, version },
})

export const setPrice = ({ seller, car }: Listing, newPrice: number, version?: number) =>
  seller.ask(carEndpoints.updatePrice, pricing(car, newPrice, version))
export const tryToSetPrice = ({ seller, car }: Listing, newPrice: number, version?: number) =>
  seller.send(carEndpoints.updatePrice, pricing(car, newPrice, version))

const proposal = ({ buyer, at }: Sale, price: number | null, version?: number) => ({
  body: { ...at, buyerId: buyer.id, price, version },
})
export const propose = (sale: Sale, price: number | null) =>
  sale.seller.ask(calls.proposePrice, proposal(sale, price))
export const tryToPropose = (sale: Sale, price: number | null, version?: number) =>
  sale.seller.send(calls.proposePrice, proposal(sale, price, version))
export const tryToAnswerProposal = (
  { buyer, at }: Sale,
  price: number,
  status: 'ACCEPTED' | 'REJECTED',
  version?: number,
) => buyer.send(calls.answerProposal, { body: { ...at, price, status, version } })

export const editCar = ({ seller, car }: Listing, changes: object) =>
  seller.ask(carEndpoints.editCar, { body: { vin: car.vin, ...changes } })
export const tryToEditCar = ({ seller, car }: Listing, changes: object) =>
  seller.send(carEndpoints.editCar, { body: { vin: car.vin, ...changes } })

/** Sends only the request, for a buyer who has reached that stage. */
export const tryToRequest = ({ buyer, car }: Purchase, price: number, more: object = {}) =>
  buyer.send(calls.requestCar, { body: { vin: car.vin, price, trades: [], ...more } })

export const deleteAccount = (person: TestPerson, userType: 'BUYER' | 'SELLER') =>
  person.ask(calls.deleteUser, { params: { userType, id: person.id } })

export async function anotherRequest(server: TestServerLike, sale: Sale, price = 9300): Promise<Sale> {
  const other = { ...sale, buyer: await aBuyer(server) }
  await aRequest(other, other.buyer, price)
  return other
}

export const listCarsOf = (person: TestPerson) =>
  person.ask(calls.listCarsOfUser, { params: { userId: person.id } })
export const listRequestsOn = ({ seller, car }: Listing) =>
  seller.ask(calls.listRequests, { params: { carId: car._id } })
export const readTimelineOf = ({ buyer, at }: Pick<Sale, 'buyer' | 'at'>) =>
  buyer.ask(calls.readTimeline, { params: at })
export const readPackageIdOf = async (sale: Sale) => (await readProgressOf(sale)).pkgId ?? ''
