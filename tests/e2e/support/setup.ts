import type { UserType } from '@keyturn/contract/accounts/rules.ts'
import { aPerson, type Person } from './person.ts'
import type { RunningApp } from './product.ts'
import { expect, type Profile } from './test.ts'

// Preconditions of tests, set up through the API that the pages use.

export type ApiClient = Pick<Profile, 'context'>

/** Sends a request with a browser's session and expects success. */
export async function callApi(client: ApiClient, call: `${Uppercase<string>} /${string}`, data?: object) {
  const [method, path = ''] = call.split(' ')
  const response = await client.context.request.fetch(path, { method, data })
  if (!response.ok()) throw new Error(`${call}: ${response.status()} ${await response.text()}`)
  return response.json()
}

export async function signInAsAdministrator(client: ApiClient, { administrator }: RunningApp) {
  await callApi(client, 'POST /auth/admin/login', administrator)
}

/**
 * Registers a person and verifies the address with the emailed link, which leaves the client signed
 * in. Returns the user's id.
 */
export async function registerAndVerify(
  client: ApiClient,
  administrator: ApiClient,
  userType: UserType,
  person: Person,
): Promise<string> {
  const { name: _, ...form } = person
  const { _id } = await callApi(client, 'POST /auth/register', {
    ...form,
    confirmPassword: form.password,
    userType,
  })
  const { searchParams } = await verificationLink(person.email, administrator)
  await callApi(client, `GET /auth/email/verify/${searchParams.get('code')}`)
  return _id
}

/** Returns the newest link to a page that was emailed to an address. */
export async function readEmailedLink(path: string, address: string, administrator: ApiClient): Promise<URL> {
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
  readEmailedLink('/email/verify', address, administrator)

const carDefaults = { trim: 'LE', mileage: 61_200, color: 'Silver', payoff: false }
export type ListedCar = { vin: string; make: string; carModel: string; year: number; price: number }

export async function listCar(client: ApiClient, car: ListedCar): Promise<string> {
  const { sellerId, vin } = await callApi(client, 'POST /cars/input', { ...carDefaults, ...car })
  return `userId=${sellerId}&vin=${vin}`
}

/** Creates a seller with a car. `addBuyer` adds a buyer. */
export async function createSellerWithCar(
  openProfile: () => Promise<Profile>,
  product: RunningApp,
  person: Person,
  car: ListedCar,
) {
  const administrator = await openProfile()
  await signInAsAdministrator(administrator, product)
  const seller = await openProfile()
  await registerAndVerify(seller, administrator, 'SELLER', person)
  const addBuyer = async (person: Person) => {
    const buyer = await openProfile()
    await registerAndVerify(buyer, administrator, 'BUYER', person)
    return buyer
  }
  return { administrator, seller, addBuyer, link: await listCar(seller, car) }
}

const civic = { make: 'Honda', carModel: 'Civic', year: 2019, price: 12_500 }
export const civicName = '2019 Honda Civic LE'

/** Creates a seller (Sam) of a Civic at $12,500 and a buyer (Bea). */
export async function createSale(openProfile: () => Promise<Profile>, product: RunningApp, vin: string) {
  const [sam, bea] = [aPerson('Sam', 'Seller'), aPerson('Bea', 'Buyer')]
  const sale = await createSellerWithCar(openProfile, product, sam, { ...civic, vin })
  return { ...sale, sam, bea, buyer: await sale.addBuyer(bea) }
}

export const startPurchase = (client: ApiClient, link: string) =>
  callApi(client, 'PATCH /progress/add', saleParams(link))

/** Declines trade and financing. The request is next. */
export async function declineTradeAndFinancing(client: ApiClient, link: string) {
  await startPurchase(client, link)
  const answer = (step: number[], answers: object) =>
    callApi(client, 'PATCH /progress/update', {
      ...saleParams(link),
      data: { userType: 'BUYER', step, ...answers },
    })
  await answer([0, 1, 2, 3], { hasTrade: false, tradeVins: [] })
  await answer([0, 1, 2, 3, 4, 5], { needsFinancing: false })
}

export async function requestCar(client: ApiClient, link: string, price: number) {
  await declineTradeAndFinancing(client, link)
  const { userId: sellerId, vin } = saleParams(link)
  await callApi(client, 'POST /cars/request', { vin, price, sellerId, trades: [] })
}

/** Sends a signature as the page does. */
export function submitSignature(client: ApiClient, link: string, userType: 'SELLER' | 'BUYER', name: string) {
  const side = userType.toLowerCase()
  const signature = { [`${side}Signed`]: true, [`${side}SignedName`]: name, [`${side}Signature`]: name }
  const data = { userType, step: [], agreementSigned: true, consent: true, ...signature }
  return callApi(client, 'PATCH /progress/update', { ...saleParams(link), data })
}

export const saleParams = (link: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(link))
