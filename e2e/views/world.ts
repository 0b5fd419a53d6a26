import type { APIRequestContext, BrowserContext, BrowserContextOptions } from '@playwright/test'
import { type CarName, demoCars } from '../../server/seed/cars.ts'
import { demoPeople, type Name } from '../../server/seed/people.ts'
import { aScene } from '../../server/test/pictures.ts'
import type { Product } from '../house/product.ts'
import type { Watch } from '../house/watch.ts'
import type { View } from './view.ts'

type Profile = { context: BrowserContext; watch: Watch }
type Viewer = Pick<View, 'as'>

/** The product with its demo people, and what the views need to know about them. */
export type World = {
  /** `?userId=…&vin=…` of a demo car. */
  linkTo(car: CarName): string
  /** The page of the final package of a demo car that both have signed. */
  packageOf(car: CarName): Promise<string>
  /** What a call answers to a demo person, letter for letter. */
  read(as: Name, path: string): Promise<string>
  /** Adds photos to a demo car or trade, as its owner; they are there already the second time. */
  photograph(as: Name, vin: string): Promise<void>
  /** Registers somebody new, not verified yet, and signs them in in this profile. Returns their address. */
  join(profile: BrowserContext, firstName: string): Promise<string>
  /** Path and query of the newest link to this page that was mailed to an address. */
  mailedLink(email: string, page?: string): Promise<string>
  /** A separate browser profile in which the viewer is signed in. */
  openProfile(viewer: Viewer, options?: BrowserContextOptions): Promise<Profile>
}

export async function openWorld(
  product: Product,
  openEmpty: (options: BrowserContextOptions) => Promise<Profile>,
): Promise<World> {
  const openProfile: World['openProfile'] = async ({ as }, options) => {
    const profile = await openEmpty({ permissions: ['clipboard-read', 'clipboard-write'], ...options })
    const { request } = profile.context
    if (as === 'administrator') await post(request, '/auth/admin/login', product.administrator)
    if (isDemoPerson(as)) await signIn(request, as)
    return profile
  }
  const { context: administrator } = await openProfile({ as: 'administrator' })
  const { context: elena } = await openProfile({ as: 'elena' })
  const sellers = await readSellers(administrator)

  return {
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
    read: async (as, path) => {
      const { context } = await openProfile({ as })
      return (await context.request.get(path)).text()
    },
    photograph: async (as, vin) => {
      const [cars, trades] = await Promise.all(
        ['/cars/all/cars?limit=200', '/trades?status=ALL&limit=200'].map((path) =>
          get<Listed[]>(administrator.request, path),
        ),
      )
      const car = cars?.find((one) => one.vin === vin)
      const path = car
        ? `/cars/photos/${car._id}`
        : `/trades/photos/${trades?.find((one) => one.vin === vin)?._id}`
      const { context } = await openProfile({ as })
      // Upright, lying and small, as people's pictures are.
      for (const [place, size] of [
        [900, 600],
        [480, 640],
        [320, 240],
      ].entries())
        await upload(context.request, path, await aScene(place, ...size))
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
        .flatMap(({ text }) => text.match(/https?:\/\/\S+/g) ?? [])
        .map((address) => new URL(address))
      const link = links.find(({ pathname }) => pathname === page)
      if (!link) throw new Error(`no link to ${page} was mailed to ${email}`)
      return link.pathname + link.search
    },
  }
}

const isDemoPerson = (as: View['as']): as is Name => as in demoPeople

async function signIn(request: APIRequestContext, name: Name): Promise<void> {
  const { email, password } = demoPeople[name]
  await post(request, '/auth/login', { email, password })
}

type Listed = { _id: string; sellerId: string; vin: string }

async function readSellers(administrator: BrowserContext): Promise<Map<string, string>> {
  const cars = await get<Listed[]>(administrator.request, '/cars/all/cars?limit=200')
  return new Map(cars.map((car) => [car.vin, car.sellerId]))
}

async function post(request: APIRequestContext, path: string, data: object): Promise<void> {
  const response = await request.post(path, { data, headers: { 'sec-fetch-site': 'same-origin' } })
  if (!response.ok()) throw new Error(`${path} answered ${response.status()}: ${await response.text()}`)
}

async function upload(request: APIRequestContext, path: string, data: Buffer): Promise<void> {
  const headers = { 'content-type': 'image/jpeg', 'sec-fetch-site': 'same-origin' }
  const response = await request.post(path, { data, headers })
  if (!response.ok()) throw new Error(`${path} answered ${response.status()}: ${await response.text()}`)
}

async function get<Body>(request: APIRequestContext, path: string): Promise<Body> {
  let response = await request.get(path)
  // A walk over all views takes longer than a session.
  if (response.status() === 401) {
    await request.get('/auth/refresh', {
      headers: { 'sec-fetch-site': 'same-origin', 'x-requested-with': 'app' },
    })
    response = await request.get(path)
  }
  if (!response.ok()) throw new Error(`${path} answered ${response.status()}`)
  return response.json()
}
