import type { BrowserContext, BrowserContextOptions } from '@playwright/test'
import { type DemoCarName, demoCars } from '../../../server/commands/seed/demo-cars.ts'
import { type DemoPersonName, demoPeople } from '../../../server/commands/seed/demo-people.ts'
import { aScene } from '../../support/pictures.ts'
import { fetchPackageId, signInAs } from '../support/demo.ts'
import type { Watch } from '../support/page/watch-context.ts'
import type { RunningApp } from '../support/product.ts'
import { callApi, readEmailedLink, signInAsAdministrator } from '../support/setup.ts'
import type { View } from './view.ts'

type Profile = { context: BrowserContext; watch: Watch }
type Listed = { _id: string; vin: string; sellerId: string }

/** The product with its demo people, and the data that views need. */
export type World = {
  /** Returns `?userId=…&vin=…` of a demo car. */
  linkTo(car: DemoCarName): string
  /** Returns the path of the final package of a demo car that both parties signed. */
  packagePath(car: DemoCarName): Promise<string>
  /** Returns the response body that a demo person gets, byte for byte. */
  readResponse(as: DemoPersonName, path: string): Promise<string>
  /** Adds photos to a demo car or trade as its owner. A second call changes nothing. */
  addPhotos(as: DemoPersonName, vin: string): Promise<void>
  /**
   * Registers an unverified person and signs them in to this profile. Returns the email address.
   */
  registerNewcomer(profile: BrowserContext, firstName: string): Promise<string>
  /** Returns path and query of the newest link to this page that was emailed to an address. */
  mailedLink(email: string, page?: string): Promise<string>
  openProfile(viewer: Pick<View, 'as'>, options?: BrowserContextOptions): Promise<Profile>
}

export async function openWorld(
  product: RunningApp,
  openEmpty: (options: BrowserContextOptions) => Promise<Profile>,
): Promise<World> {
  const openProfile: World['openProfile'] = async ({ as }, options) => {
    const profile = await openEmpty({ permissions: ['clipboard-read', 'clipboard-write'], ...options })
    if (as === 'administrator') await signInAsAdministrator(profile, product)
    if (isDemoPerson(as)) await signInAs(as, profile)
    return profile
  }
  const administrator = await openProfile({ as: 'administrator' })
  const elena = await openProfile({ as: 'elena' })
  // Signs in again each time, because all views take longer than a session lasts.
  const asAdministrator = async () => {
    await signInAsAdministrator(administrator, product)
    return administrator
  }
  const listed = async (path: 'cars/all/cars?' | 'trades?status=ALL&'): Promise<Listed[]> =>
    callApi(await asAdministrator(), `GET /${path}limit=200`)
  const cars = await listed('cars/all/cars?')
  const linkTo: World['linkTo'] = (car) => {
    const { vin } = demoCars[car]
    return `?userId=${cars.find((one) => one.vin === vin)?.sellerId}&vin=${vin}`
  }

  return {
    openProfile,
    linkTo,
    packagePath: async (car) => {
      await signInAs('elena', elena)
      return `/pkg?pkgId=${await fetchPackageId(linkTo(car), elena)}`
    },
    readResponse: async (as, path) => {
      const { context } = await openProfile({ as })
      return (await context.request.get(path)).text()
    },
    addPhotos: async (as, vin) => {
      const matches = (one: Listed) => one.vin === vin
      const trade = (await listed('trades?status=ALL&')).find(matches)
      const car = cars.find(matches)
      const path = car ? `/cars/photos/${car._id}` : `/trades/photos/${trade?._id}`
      const { context } = await openProfile({ as })
      // Landscape, portrait and small.
      for (const [place, size] of [
        [900, 600],
        [480, 640],
        [320, 240],
      ].entries()) {
        const data = await aScene(place, ...size)
        const response = await context.request.post(path, { data, headers: { 'content-type': 'image/jpeg' } })
        if (!response.ok()) throw new Error(`${path}: ${response.status()} ${await response.text()}`)
      }
    },
    registerNewcomer: async (context, firstName) => {
      const email = `${firstName}.${Date.now().toString(36)}@example.com`.toLowerCase()
      const password = 'quiet-harbor-90'
      const form = { firstName, lastName: 'Newman', email, phoneNumber: '312-555-0100' }
      await callApi({ context }, 'POST /auth/register', { ...form, password, confirmPassword: password })
      return email
    },
    mailedLink: async (email, page = '/email/verify') => {
      const { pathname, search } = await readEmailedLink(page, email, await asAdministrator())
      return pathname + search
    },
  }
}

const isDemoPerson = (as: View['as']): as is DemoPersonName => as in demoPeople
