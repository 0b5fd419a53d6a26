import type { UserType } from '@keyturn/contract/accounts/rules.ts'
import { aPerson, type Person } from './person.ts'
import type { Product } from './product.ts'
import { expect, type Profile } from './test.ts'

// Sets up the preconditions of a test through the API that the pages use.

export type ApiClient = Pick<Profile, 'context'>

/** Sends one request with a browser's session and expects success. */
export async function callApi(who: ApiClient, call: `${Uppercase<string>} /${string}`, data?: object) {
  const [method, path = ''] = call.split(' ')
  const answer = await who.context.request.fetch(path, { method, data })
  if (!answer.ok()) throw new Error(`${call}: ${answer.status()} ${await answer.text()}`)
  return answer.json()
}

export async function signInAsAdministrator(who: ApiClient, { administrator }: Product) {
  await callApi(who, 'POST /auth/admin/login', administrator)
}

/** Registers, opens the emailed link and signs in. Returns the account's id. */
export async function registerAndVerify(
  who: ApiClient,
  administrator: ApiClient,
  userType: UserType,
  person: Person,
): Promise<string> {
  const { name: _, ...form } = person
  const { _id } = await callApi(who, 'POST /auth/register', {
    ...form,
    confirmPassword: form.password,
    userType,
  })
  const { searchParams } = await verificationLink(person.email, administrator)
  await callApi(who, `GET /auth/email/verify/${searchParams.get('code')}`)
  return _id
}

/** Returns the newest link to a page that was emailed to an address. */
export async function mailedLink(path: string, address: string, administrator: ApiClient): Promise<URL> {
  let link: string | undefined
  await expect(async () => {
    const mails: { to: string; text: string }[] = await callApi(administrator, 'GET /admin/mails')
    const links = mails.filter(({ to }) => to === address).flatMap(({ text }) => text.match(/https?:\S+/g))
    link = links.find((one) => one?.includes(path)) ?? undefined
    expect(link, `a link to ${path} mailed to ${address}`).toBeTruthy()
  }).toPass()
  return new URL(link ?? '')
}

export const verificationLink = (address: string, administrator: ApiClient) =>
  mailedLink('/email/verify', address, administrator)

const carDefaults = { trim: 'LE', mileage: 61_200, color: 'Silver', payoff: false }
export type ListedCar = { vin: string; make: string; carModel: string; year: number; price: number }

/** Lists a car and returns the query of its link. */
export async function listCar(who: ApiClient, car: ListedCar): Promise<string> {
  const { sellerId, vin } = await callApi(who, 'POST /cars/input', { ...carDefaults, ...car })
  return `userId=${sellerId}&vin=${vin}`
}

/** Creates a seller with a car, and a buyer. */
export async function createSellerWithCar(
  openProfile: () => Promise<Profile>,
  product: Product,
  sam: Person,
  car: ListedCar,
) {
  const administrator = await openProfile()
  await signInAsAdministrator(administrator, product)
  const seller = await openProfile()
  await registerAndVerify(seller, administrator, 'SELLER', sam)
  const comes = async (person: Person) => {
    const buyer = await openProfile()
    await registerAndVerify(buyer, administrator, 'BUYER', person)
    return buyer
  }
  return { administrator, seller, comes, link: await listCar(seller, car) }
}

const civic = { make: 'Honda', carModel: 'Civic', year: 2019, price: 12_500 }
export const civicName = '2019 Honda Civic LE'

/** Creates Sam, who sells a Civic at $12,500, and Bea, who has its link. */
export async function createSale(openProfile: () => Promise<Profile>, product: Product, vin: string) {
  const [sam, bea] = [aPerson('Sam', 'Seller'), aPerson('Bea', 'Buyer')]
  const met = await createSellerWithCar(openProfile, product, sam, { ...civic, vin })
  return { ...met, sam, bea, buyer: await met.comes(bea) }
}

/** Starts the guided purchase. */
export const startPurchase = (who: ApiClient, link: string) =>
  callApi(who, 'PATCH /progress/add', saleParams(link))

/** Declines trade and financing, so that the request is next. */
export async function declineTradeAndFinancing(who: ApiClient, link: string) {
  await startPurchase(who, link)
  const move = (step: number[], answers: object) =>
    callApi(who, 'PATCH /progress/update', {
      ...saleParams(link),
      data: { userType: 'BUYER', step, ...answers },
    })
  await move([0, 1, 2, 3], { hasTrade: false, tradeVins: [] })
  await move([0, 1, 2, 3, 4, 5], { needsFinancing: false })
}

/** Requests the car at a price, so that the signature is next. */
export async function requestCar(who: ApiClient, link: string, price: number) {
  await declineTradeAndFinancing(who, link)
  const { userId: sellerId, vin } = saleParams(link)
  await callApi(who, 'POST /cars/request', { vin, price, sellerId, trades: [] })
}

/** Sends a signature as the page does. */
export function submitSignature(who: ApiClient, link: string, userType: 'SELLER' | 'BUYER', name: string) {
  const side = userType.toLowerCase()
  const words = { [`${side}Signed`]: true, [`${side}SignedName`]: name, [`${side}Signature`]: name }
  const data = { userType, step: [], agreementSigned: true, consent: true, ...words }
  return callApi(who, 'PATCH /progress/update', { ...saleParams(link), data })
}

export const saleParams = (link: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(link))
