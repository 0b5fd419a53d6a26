import { publicCarPage } from '@keyturn/contract/cars/endpoints.ts'
import type { BuyPage, CarForms } from '@keyturn/contract/cars/page.ts'
import type { WithInline } from '@keyturn/contract/shared/pages.ts'
import type { Deps } from '../../deps.ts'
import { toApiError } from '../../platform/http/errors.ts'
import type { HttpContext } from '../../platform/http/register-endpoint.ts'
import { cachePackedPages } from '../../platform/pages/pack-page.ts'
import { policyFor, registerPage, sendRendered } from '../../platform/pages/send-page.ts'
import { findShared, type Link, linkIn, nobody } from './car-page.ts'

/**
 * Serves /buy-this-car with the car and the sign-up; shares the rate limit of the JSON endpoint.
 */
export function registerBuyPage(http: HttpContext, deps: Deps, pages: WithInline<CarForms>): void {
  const policy = policyFor(pages.inline.buyThisCar)
  const render = (page: BuyPage) => pages.buyThisCar(page)
  const pack = cachePackedPages(render)
  registerPage(http.app, '/buy-this-car', async (request, reply) => {
    const link = linkIn(request)
    if (link) http.checkRateLimit(publicCarPage, nobody, request.ip)
    const isKnown = async () =>
      (await http.findSessions(request, { user: true, administrator: false })).user !== null
    const page = link ? await readPage(deps, link, isKnown) : invalid
    return sendRendered(request, reply.code(statuses[page.face]), policy, {
      page: () => render(page),
      gzip: () => pack(page),
    })
  })
}

const invalid: BuyPage = { face: 'invalid' }
const statuses: Record<BuyPage['face'], number> = { shared: 200, invalid: 404, unsure: 503 }

async function readPage(deps: Deps, link: Link, isKnown: () => Promise<boolean>): Promise<BuyPage> {
  try {
    const [shared, known] = await Promise.all([findShared(deps, link.userId, link.vin), isKnown()])
    return shared ? { face: 'shared', car: shared.car, link, isKnown: known } : invalid
  } catch (fault) {
    const refusal = toApiError(fault)
    if (refusal?.status !== 503) throw fault
    return { face: 'unsure', why: refusal.message }
  }
}
