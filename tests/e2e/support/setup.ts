import type { UserType } from '@keyturn/contract/accounts/rules.ts'
import { aPerson, type Person } from './person.ts'
import type { Product } from './product.ts'
import { expect, type Profile } from './test.ts'

// Sets up the preconditions of a test through the API that the pages use.

export type Asker = Pick<Profile, 'context'>

/** Sends one request with a browser's session and expects success. */
export async function ask(who: Asker, call: `${Uppercase<string>} /${string}`, data?: object) {
  const [method, path = ''] = call.split(' ')
  const answer = await who.context.request.fetch(path, { method, data })
  if (!answer.ok()) throw new Error(`${call}: ${answer.status()} ${await answer.text()}`)
  return answer.json()
}

export async function administers(who: Asker, { administrator }: Product) {
  await ask(who, 'POST /auth/admin/login', administrator)
}

/** Registers, opens the emailed link and signs in. Returns the account's id. */
export async function joins(
  who: Asker,
  administrator: Asker,
  userType: UserType,
  person: Person,
): Promise<string> {
  const { name: _, ...form } = person
  const { _id } = await ask(who, 'POST /auth/register', {
    ...form,
    confirmPassword: form.password,
    userType,
  })
  const { searchParams } = await linkToVerify(person.email, administrator)
  await ask(who, `GET /auth/email/verify/${searchParams.get('code')}`)
  return _id
}

/** Returns the newest link to a page that was emailed to an address. */
export async function mailedLink(path: string, address: string, administrator: Asker): Promise<URL> {
  let link: string | undefined
  await expect(async () => {
    const mails: { to: string; text: string }[] = await ask(administrator, 'GET /admin/mails')
    const links = mails.filter(({ to }) => to === address).flatMap(({ text }) => text.match(/https?:\S+/g))
    link = links.find((one) => one?.includes(path)) ?? undefined
    expect(link, `a link to ${path} mailed to ${address}`).toBeTruthy()
  }).toPass()
  return new URL(link ?? '')
}

export const linkToVerify = (address: string, administrator: Asker) =>
  mailedLink('/email/verify', address, administrator)

const someCar = { trim: 'LE', mileage: 61_200, color: 'Silver', payoff: false }
export type SomeCar = { vin: string; make: string; carModel: string; year: number; price: number }

/** Lists a car and returns the query of its link. */
export async function sells(who: Asker, car: SomeCar): Promise<string> {
  const { sellerId, vin } = await ask(who, 'POST /cars/input', { ...someCar, ...car })
  return `userId=${sellerId}&vin=${vin}`
}

/** Creates a seller with a car, and a buyer. */
export async function meet(openProfile: () => Promise<Profile>, product: Product, sam: Person, car: SomeCar) {
  const administrator = await openProfile()
  await administers(administrator, product)
  const seller = await openProfile()
  await joins(seller, administrator, 'SELLER', sam)
  const comes = async (person: Person) => {
    const buyer = await openProfile()
    await joins(buyer, administrator, 'BUYER', person)
    return buyer
  }
  return { administrator, seller, comes, link: await sells(seller, car) }
}

const civic = { make: 'Honda', carModel: 'Civic', year: 2019, price: 12_500 }
export const namesOfCivic = '2019 Honda Civic LE'

/** Creates Sam, who sells a Civic at $12,500, and Bea, who has its link. */
export async function aSale(openProfile: () => Promise<Profile>, product: Product, vin: string) {
  const [sam, bea] = [aPerson('Sam', 'Seller'), aPerson('Bea', 'Buyer')]
  const met = await meet(openProfile, product, sam, { ...civic, vin })
  return { ...met, sam, bea, buyer: await met.comes(bea) }
}

/** Starts the guided purchase. */
export const begins = (who: Asker, link: string) => ask(who, 'PATCH /progress/add', saleOf(link))

/** Declines trade and financing, so that the request is next. */
export async function answersNo(who: Asker, link: string) {
  await begins(who, link)
  const move = (step: number[], answers: object) =>
    ask(who, 'PATCH /progress/update', { ...saleOf(link), data: { userType: 'BUYER', step, ...answers } })
  await move([0, 1, 2, 3], { hasTrade: false, tradeVins: [] })
  await move([0, 1, 2, 3, 4, 5], { needsFinancing: false })
}

/** Requests the car at a price, so that the signature is next. */
export async function requests(who: Asker, link: string, price: number) {
  await answersNo(who, link)
  const { userId: sellerId, vin } = saleOf(link)
  await ask(who, 'POST /cars/request', { vin, price, sellerId, trades: [] })
}

/** Sends a signature as the page does. */
export function signs(who: Asker, link: string, userType: 'SELLER' | 'BUYER', name: string) {
  const side = userType.toLowerCase()
  const words = { [`${side}Signed`]: true, [`${side}SignedName`]: name, [`${side}Signature`]: name }
  const data = { userType, step: [], agreementSigned: true, consent: true, ...words }
  return ask(who, 'PATCH /progress/update', { ...saleOf(link), data })
}

export const saleOf = (link: string): Record<string, string> => Object.fromEntries(new URLSearchParams(link))
