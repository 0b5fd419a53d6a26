import type { BuyPageData, CarFormPages } from '@keyturn/contract/cars/car-pages.ts'
import { readPublicCar } from '@keyturn/contract/cars/endpoints.ts'
import type { WithInlineParts } from '@keyturn/contract/shared/pages.ts'
import type { Deps } from '../../deps.ts'
import { toApiError } from '../../platform/http/error-handlers.ts'
import type { HttpContext } from '../../platform/http/register-endpoint.ts'
import { createPackedPageCache } from '../../platform/pages/compress-page.ts'
import { pagePolicy, registerPage, sendRendered } from '../../platform/pages/send-page.ts'
import { anonymousCaller, type CarLink, findSharedCar, parseCarLink } from './car-page.ts'

/** Serves /buy-this-car with the car and the sign-up, under the JSON endpoint's rate limit. */
export function registerBuyPage(http: HttpContext, deps: Deps, pages: WithInlineParts<CarFormPages>): void {
  const policy = pagePolicy(pages.inline.buyThisCar)
  const render = (page: BuyPageData) => pages.buyThisCar(page)
  const pack = createPackedPageCache(render)
  registerPage(http.app, '/buy-this-car', async (request, reply) => {
    const link = parseCarLink(request)
    if (link) http.checkRateLimit(readPublicCar, anonymousCaller, request.ip)
    const isKnown = async () =>
      (await http.findSessions(request, { user: true, administrator: false })).user !== null
    const page = link
      ? await readPage(deps, link, isKnown)
      : { face: 'invalid' as const, isKnown: await isKnown().catch(() => false) }
    return sendRendered(request, reply.code(statuses[page.face]), policy, {
      page: () => render(page),
      gzip: () => pack(page),
    })
  })
}

const statuses: Record<BuyPageData['face'], number> = {
  shared: 200,
  invalid: 404,
  unavailable: 404,
  unsure: 503,
}

async function readPage(deps: Deps, link: CarLink, isKnown: () => Promise<boolean>): Promise<BuyPageData> {
  try {
    const [shared, known] = await Promise.all([findSharedCar(deps, link.userId, link.vin), isKnown()])
    return typeof shared === 'string'
      ? { face: shared, isKnown: known }
      : { face: 'shared', car: shared.car, link, isKnown: known }
  } catch (error) {
    const apiError = toApiError(error)
    if (apiError?.status !== 503) throw error
    return { face: 'unsure', why: apiError.message }
  }
}
