import type { APIRequestContext, Browser, BrowserContext } from '@playwright/test'
import { type Product, startProduct } from '../../e2e/house/product.ts'
import { type CarName, demoCars } from '../../server/seed/cars.ts'
import { demoPeople, type Name } from '../../server/seed/people.ts'
import type { Who } from './shot.ts'

/** The product with its demo people in it, and what a walk needs to know of them. */
export type World = {
  product: Product
  /** `?userId=…&vin=…` of a demo car. */
  linkTo(car: CarName): string
  /** The page of the final package of a demo car that both have signed. */
  packageOf(car: CarName): Promise<string>
  /** Somebody new and not verified yet, signed in by this profile. Gives their address. */
  join(profile: BrowserContext, firstName: string): Promise<string>
  /** Path and query of the newest link to this page that was mailed to an address. */
  mailedLink(email: string, page?: string): Promise<string>
  /** A browser profile of its own, in which this person is signed in. */
  openProfile(who: Who): Promise<BrowserContext>
}

export async function openWorld(browser: Browser): Promise<World> {
  const product = await startProduct()
  const openProfile: World['openProfile'] = async (who) => {
    const profile = await browser.newContext({
      baseURL: product.origin,
      reducedMotion: 'reduce',
      locale: 'en-US',
      timezoneId: 'America/Denver',
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    if (who === 'administrator') await post(profile.request, '/auth/admin/login', product.administrator)
    else if (who !== 'nobody') await signIn(profile, who)
    return profile
  }
  const administrator = await openProfile('administrator')
  const elena = await openProfile('elena')
  const sellers = await readSellers(administrator)

  return {
    product,
    openProfile,
    linkTo: (car) => `?userId=${sellers.get(demoCars[car].vin)}&vin=${demoCars[car].vin}`,
    packageOf: async (car) => {
      const { vin } = demoCars[car]
      const { pkgId } = await get<{ pkgId: string }>(
        elena.request,
        `/progress/pkg/id/${sellers.get(vin)}/${vin}`,
      )
      return `/pkg?pkgId=${pkgId}`
    },
    join: async (profile, firstName) => {
      const email = `${firstName}.${Date.now().toString(36)}@example.com`.toLowerCase()
      const password = 'quiet-harbor-90'
      const form = { firstName, lastName: 'Newman', email, phoneNumber: '312-555-0100' }
      await post(profile.request, '/auth/register', { ...form, password, confirmPassword: password })
      return email
    },
    mailedLink: async (email, page = '/email/verify') => {
      const mails = await get<{ to: string; text: string }[]>(administrator.request, '/admin/mails')
      const links = mails
        .filter((mail) => mail.to === email)
        .map((mail) => new URL(/https?:\/\/\S+/.exec(mail.text)?.[0] ?? product.origin))
      const link = links.find(({ pathname }) => pathname === page)
      if (!link) throw new Error(`no link to ${page} was mailed to ${email}`)
      return link.pathname + link.search
    },
  }
}

async function signIn(profile: BrowserContext, name: Name): Promise<void> {
  const { email, password } = demoPeople[name]
  await post(profile.request, '/auth/login', { email, password })
}

async function readSellers(administrator: BrowserContext): Promise<Map<string, string>> {
  type Listed = { sellerId: string; vin: string }
  const cars = await get<Listed[]>(administrator.request, '/cars/all/cars?limit=200')
  return new Map(cars.map((car) => [car.vin, car.sellerId]))
}

async function post(request: APIRequestContext, path: string, data: object): Promise<void> {
  const response = await request.post(path, { data, headers: { 'sec-fetch-site': 'same-origin' } })
  if (!response.ok()) throw new Error(`${path} answered ${response.status()}: ${await response.text()}`)
}

async function get<Body>(request: APIRequestContext, path: string): Promise<Body> {
  const response = await request.get(path)
  if (!response.ok()) throw new Error(`${path} answered ${response.status()}`)
  return response.json()
}
