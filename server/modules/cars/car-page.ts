import type { CarPageData, CarPages } from '@keyturn/contract/cars/car-pages.ts'
import { type Car, readPublicCar as publicCarCall } from '@keyturn/contract/cars/endpoints.ts'
import { carName, visitorPart } from '@keyturn/contract/cars/rules.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import type { EndpointOutput } from '@keyturn/contract/shared/endpoint.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { formatUsd } from '@keyturn/contract/shared/money.ts'
import {
  type PageAddress,
  type PreviewColors,
  previewPaths,
  type WithInlineParts,
} from '@keyturn/contract/shared/pages.ts'
import type { Photo } from '@keyturn/contract/shared/photo.ts'
import { isVinShape } from '@keyturn/contract/shared/vin.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { stateOfZip } from '../../integrations/sales-tax/tax-rates.ts'
import type { Caller, ScopedActor } from '../../platform/http/authorization.ts'
import { toApiError } from '../../platform/http/error-handlers.ts'
import type { HttpContext } from '../../platform/http/register-endpoint.ts'
import { createPackedPageCache } from '../../platform/pages/compress-page.ts'
import { pagePolicy, registerPage, sendRendered } from '../../platform/pages/send-page.ts'
import { toDealerContact } from './mappers.ts'
import type { PreviewCard } from './preview/preview-card.ts'
import { type Previews, previewKey } from './preview/previews.ts'
import { readPublicCar, toSharedCar } from './read-public-car.ts'
import * as store from './repository.ts'

/** The car as its seller or a buyer sees it; supplied by the deals module, injected by `app.ts`. */
type CarOfParty = (deps: Deps, user: ScopedActor, sellerId: string, vin: string) => Promise<Car | null>

type CarPageOptions = {
  pages: WithInlineParts<CarPages>
  colors: PreviewColors
  carOfParty: CarOfParty
  /** The car as a buyer sees it after it was sold to another buyer. */
  carSoldElsewhere: CarOfParty
  previews: Previews
}

/** Serves /car and its link preview (R-cars-28). Both share the rate limit of the JSON endpoint. */
export function registerCarPage(
  http: HttpContext,
  deps: Deps,
  { pages, colors, previews, ...dealReaders }: CarPageOptions,
): void {
  const policy = pagePolicy(pages.inline.car)
  const render = (page: CarPageData) => pages.car(page, addressOf(deps, page, colors))
  const pack = createPackedPageCache(render)

  registerPage(http.app, '/car', async (request, reply) => {
    const link = parseCarLink(request)
    if (link) http.checkRateLimit(publicCarCall, anonymousCaller, request.ip)
    const findUser = async () => (await http.findSessions(request, { user: true, administrator: false })).user
    const page = link
      ? await http.runRead(request, async (db) => {
          const read = await readPage({ ...deps, db }, findUser, link, dealReaders)
          // The standby may fail, or not have the car yet; then the primary decides.
          if (db !== deps.db && !('car' in read)) throw apiErrors.NotFound()
          return read
        })
      : invalidPage(await findUser().catch(() => null))
    return sendRendered(request, reply.code(statuses[page.face]), policy, {
      page: () => render(page),
      gzip: () => pack(page),
    })
  })

  const sendPreview = async (request: FastifyRequest, reply: FastifyReply) => {
    const link = parseCarLink(request)
    if (!link) throw apiErrors.NotFound()
    http.checkRateLimit(publicCarCall, anonymousCaller, request.ip)
    const { car } = await http.runRead(request, (db) => readPublicCar(db, link.userId, link.vin))
    const card = cardOf(car, colors)
    const { v } = request.query as { v?: unknown }
    // Read before headers are set: an error must not be cached for a year.
    const bytes = await previews.read(card, request.ip)
    return reply
      .headers({
        'cache-control': v === previewKey(card) ? immutableForAYear : 'no-cache',
        // Chats embed the picture in pages of other origins.
        'cross-origin-resource-policy': 'cross-origin',
        'x-robots-tag': 'noindex',
      })
      .type(kindOf(card).type)
      .send(bytes)
  }
  // A URL that is older than the first photo, or than the removal of the last one, serves the
  // current picture.
  for (const path of previewPaths) http.app.get(path, { exposeHeadRoute: false }, sendPreview)
}

/** A photo as PNG would be several times larger; a drawing as JPEG would be blurred. */
const kindOf = ({ photo }: PreviewCard) =>
  photo
    ? ({ path: '/car/preview.jpg', type: 'image/jpeg' } as const)
    : ({ path: '/car/preview.png', type: 'image/png' } as const)
const immutableForAYear = `public, max-age=${365 * 24 * 3600}, immutable`
export const anonymousCaller: Caller = { user: null, administrator: null }

export type CarLink = { userId: string; vin: string }
/** Returns null for a malformed link, without a database query (R-cars-15). */
export function parseCarLink({ query }: FastifyRequest): CarLink | null {
  const { success, data } = publicCarCall.params.safeParse(query)
  return success && isVinShape(data.vin) ? data : null
}

const invalidPage = (user: ScopedActor | null, face: 'invalid' | 'unavailable' = 'invalid'): CarPageData => ({
  face,
  isKnown: user !== null,
})

/** Reads the car once, like the JSON endpoint, and as a party's car for a signed-in user. */
async function readPage(
  deps: Deps,
  findUser: () => Promise<ScopedActor | null>,
  { userId, vin }: CarLink,
  { carOfParty, carSoldElsewhere }: Pick<CarPageOptions, 'carOfParty' | 'carSoldElsewhere'>,
): Promise<CarPageData> {
  try {
    const user = await findUser()
    const [[shared], own] = await Promise.all([
      store.findCarForPage(deps.db, { sellerId: userId, vin }),
      user && carOfParty(deps, user, userId, vin),
    ])
    const part = user ? visitorPart(user.id, userId, own) : 'none'
    if (shared?.isHidden) return invalidPage(user, 'unavailable')
    if (shared) {
      const { seller, isEmailConfirmed, decoded, dealer } = shared
      const car = toSharedCar(shared)
      return {
        face: 'shared',
        seller,
        car,
        state: car.zipCode && stateOfZip(car.zipCode),
        visitor: user && { part, isBuyer: user.userType === 'BUYER' },
        dealer: toDealerContact(dealer, deps.config.dealer),
        checks: { isEmailConfirmed, decoded },
      }
    }
    if (own?.status === 'COMPLETED' && part !== 'none') return { face: 'sold', car: own, part }
    const sold = user && (await carSoldElsewhere(deps, user, userId, vin))
    if (sold) return { face: 'sold', car: sold, part: 'buyer' }
    return invalidPage(user)
  } catch (error) {
    const apiError = toApiError(error)
    if (apiError?.status !== 503) throw error
    return { face: 'unsure', why: apiError.message }
  }
}

/** Returns why there is no such car instead of throwing. */
export const findSharedCar = (
  deps: Deps,
  userId: string,
  vin: string,
): Promise<EndpointOutput<typeof publicCarCall> | 'invalid' | 'unavailable'> =>
  readPublicCar(deps.db, userId, vin).catch((error) => {
    const code = toApiError(error)?.code
    if (code === 'NotFound') return 'invalid'
    if (code === 'CarNotAvailable') return 'unavailable'
    throw error
  })

const statuses: Record<CarPageData['face'], number> = {
  shared: 200,
  sold: 200,
  invalid: 404,
  unavailable: 404,
  unsure: 503,
}

function addressOf({ config }: Deps, page: CarPageData, colors: PreviewColors): PageAddress {
  const { origin } = config.publicUrl
  if (page.face !== 'shared') return { url: `${origin}/car`, image: null }
  const { sellerId: userId, vin } = page.car
  // Neither value contains a character that a URL must escape.
  const query = `userId=${userId}&vin=${vin}`
  const card = cardOf(page.car, colors)
  const { path, type } = kindOf(card)
  return {
    url: `${origin}/car?${query}`,
    image: { url: `${origin}${path}?${query}&v=${previewKey(card)}`, type },
  }
}

const cardOf = (car: EndpointOutput<typeof publicCarCall>['car'], colors: PreviewColors): PreviewCard => ({
  body: car.bodyType,
  color: car.color,
  title: carName(car),
  price: car.price === null ? carTexts.toBeAgreed : formatUsd(car.price),
  colors,
  photo: firstPhotoOf(car.photos),
})

function firstPhotoOf([first]: readonly Photo[]): PreviewCard['photo'] {
  return first ? { id: first.id, width: first.width, height: first.height } : null
}
