import { signingSignInMs } from '@keyturn/contract/accounts/rules.ts'
import { termSheetTexts } from '@keyturn/contract/agreements/agreement-texts.ts'
import { ownConsent, withdrawConsent as withdrawCall } from '@keyturn/contract/agreements/consent.ts'
import { evidenceLog, logConsistency, logInclusion } from '@keyturn/contract/agreements/evidence-log.ts'
import * as paperwork from '@keyturn/contract/agreements/paperwork/endpoints.ts'
import { sealCertificates } from '@keyturn/contract/agreements/seal.ts'
import * as verification from '@keyturn/contract/agreements/verification/endpoints.ts'
import * as calls from '@keyturn/contract/deals/endpoints.ts'
import * as presence from '@keyturn/contract/deals/presence/endpoints.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { refuse } from '@keyturn/contract/shared/error.ts'
import { requirePassword } from '../accounts/actions.ts'
import type { Deps } from '../deps.ts'
import { answer, answerSigned, type Door } from '../http/answer.ts'
import { nextLink } from '../http/link.ts'
import type { Asker } from '../http/who.ts'
import { signingLimit } from '../limits/call-limits.ts'
import { takeTurnHere } from '../limits/counted-in-memory.ts'
import { limits, takeTurn } from '../limits/throttles.ts'
import { completeDeal, deleteUser } from './actions.ts'
import { readConsent, withdrawConsent } from './agreement/consents.ts'
import { signedPdfOf } from './agreement/kept-pdfs.ts'
import { readPackage } from './agreement/package.ts'
import { soldCarsCsv } from './agreement/sold-csv.ts'
import { registerDealers } from './dealers/routes.ts'
import { decideBuyer } from './deciding.ts'
import { deleteCar, removeListing } from './ending.ts'
import { proveConsistency, proveInclusion, readLog } from './evidence-log/log.ts'
import { describeCar, editCar } from './listing.ts'
import { registerMessages } from './messages/routes.ts'
import { originOf } from './open-deal.ts'
import { openPaperPrinter } from './paperwork/paper-printer.ts'
import { printPaperwork } from './paperwork/print-paperwork.ts'
import { completeAsDealer, registerPartners } from './partner/routes.ts'
import { signingOf } from './partner/signed-calls.ts'
import * as photos from './photos.ts'
import { type Lookers, sayLooking } from './presence.ts'
import { updatePrice } from './pricing.ts'
import { isSigning, startProgress, updateProgress } from './progress.ts'
import * as read from './reading.ts'
import { requestCar } from './requests.ts'
import { listCertificates } from './seal/certificates.ts'
import { standingOf } from './verification/standing.ts'

const ok = { ok: true } as const

/** Every call that a deal decides, those of cars that depend on a buyer included. */
export function registerDeals(door: Door, deps: Deps, lookers: Lookers): void {
  answer(door, calls.carsOf, ({ actor, params }) => read.carsOf(deps, actor, params.userId))
  answer(door, calls.allCars, async ({ query, request, reply }) => {
    const { cars, next } = await read.allCars(deps, query)
    if (next) nextLink(reply, request, next)
    return cars
  })
  answer(door, calls.carByVin, ({ actor, params }) => read.carByVin(deps, actor, params.vin))
  answer(door, calls.requestsOnCar, ({ actor, params }) => read.requestsOn(deps, actor, params.carId))

  answer(
    door,
    calls.requestCar,
    ({ actor, body, request, intent }) => requestCar({ ...deps, intent }, originOf(actor, request), body),
    ({ car, isNew }, reply) => {
      reply.code(isNew ? 201 : 200)
      return car
    },
  )
  answer(door, calls.decideBuyer, ({ actor, body, request, intent }) =>
    decideBuyer({ ...deps, intent }, originOf(actor, request), body),
  )
  answer(door, calls.editCar, ({ actor, body, request, intent }) =>
    editCar({ ...deps, intent }, originOf(actor, request), body),
  )
  answer(door, calls.describeCar, ({ actor, params, body, request, intent }) =>
    describeCar({ ...deps, intent }, originOf(actor, request), params.carId, body),
  )
  answer(door, calls.updatePrice, ({ actor, params, body, request, intent }) =>
    updatePrice({ ...deps, intent }, originOf(actor, request), params.carId, body),
  )
  answer(
    door,
    calls.addCarPhoto,
    ({ actor, params, upload, request }) =>
      photos.addPhoto(deps, originOf(actor, request), params.carId, upload),
    ({ isNew, ...added }, reply) => {
      reply.code(isNew ? 201 : 200)
      return added
    },
  )
  answer(door, calls.orderCarPhotos, ({ actor, params, body, request, intent }) =>
    photos.orderPhotos({ ...deps, intent }, originOf(actor, request), params.carId, body.photoIds),
  )
  answer(door, calls.captionCarPhoto, ({ actor, params, body, request, intent }) =>
    photos.captionPhoto({ ...deps, intent }, originOf(actor, request), params, body.caption),
  )
  answer(door, calls.deleteCarPhoto, ({ actor, params, request, intent }) =>
    photos.deletePhoto({ ...deps, intent }, originOf(actor, request), params),
  )
  answer(
    door,
    calls.deleteCar,
    ({ actor, params, query, request, intent }) =>
      deleteCar({ ...deps, intent }, originOf(actor, request), { ...params, ...query }),
    () => ok,
  )
  answer(door, calls.removeListing, async ({ params, body }) => {
    await removeListing(deps, params.carId, body?.reason ?? '')
    return ok
  })

  answer(door, calls.startProgress, ({ actor, body, request, intent }) =>
    startProgress({ ...deps, intent }, originOf(actor, request), body),
  )
  answer(door, calls.updateProgress, async ({ actor, body, request, intent }) => {
    // Before the car is locked: a password takes its time.
    if (isSigning(body.data)) {
      takeTurnHere(deps, signingLimit, actor.id)
      await requirePassword(deps, actor, body.data.currentPassword, signingSignInMs)
    }
    return updateProgress({ ...deps, intent }, originOf(actor, request), body)
  })
  answer(door, presence.lookAtDeal, ({ actor, params, body }) =>
    sayLooking(deps, lookers, actor, { params, body }),
  )
  answer(door, ownConsent, async ({ actor }) => ({ consent: await readConsent(deps.db, actor.id) }))
  answer(door, withdrawCall, async ({ actor, request }) => ({
    consent: await withdrawConsent(deps, originOf(actor, request)),
  }))
  answer(door, calls.soldCars, async ({ query, request, reply }) => {
    const { cars, next } = await read.soldCars(deps, query)
    if (next) nextLink(reply, request, next)
    return cars
  })
  answer(door, calls.soldCarsFile, ({ reply }) => {
    reply.header('content-disposition', `attachment; filename="${dealTexts.sold.fileName}"`)
    return soldCarsCsv(deps.db)
  })
  answer(door, calls.getProgress, ({ asker, params, query }) =>
    read.readProgress(deps, asker, which(params, query)),
  )
  answer(door, calls.timeline, ({ asker, params, query }) =>
    read.readTimeline(deps, asker, which(params, query)),
  )
  answer(door, calls.packageId, ({ asker, params, query }) =>
    read.readPackageId(deps, asker, which(params, query)),
  )
  answer(door, calls.finalPackage, ({ asker, params }) => readPackage(deps, asker, params.pkgId))
  answer(door, evidenceLog, () => readLog(deps))
  answer(door, logInclusion, ({ params }) => proveInclusion(deps, params.digest))
  answer(door, logConsistency, ({ params }) => proveConsistency(deps, params.size))
  answer(door, sealCertificates, () => listCertificates(deps))
  answer(door, verification.verifyAgreement, ({ params }) => standingOf(deps, params.agreement))
  answer(door, calls.agreementPdf, async ({ asker, params, query, reply }) => {
    const { _id, agreement } = await readPackage(deps, asker, params.pkgId)
    const { bytes } = await signedPdfOf(deps, _id, {
      size: query.size,
      reader: readerOf(asker),
      isWaitedFor: true,
    })
    const name = termSheetTexts.fileName(agreement.terms.vin)
    reply.header('content-disposition', `attachment; filename="${name}"`)
    return bytes
  })
  const papers = openPaperPrinter({ onFault: (fault) => deps.log.error({ err: fault }, 'paperwork') })
  door.app.addHook('onClose', () => papers.close())
  answer(door, paperwork.paperwork, async ({ asker, params, reply }) => {
    const { name, bytes } = await printPaperwork(deps, papers, asker, params)
    reply.header('content-disposition', `attachment; filename="${name}"`)
    return bytes
  })
  answerSigned(door, calls.completeDeal, signingOf(deps), async (asking) => {
    const { asker, signer, params, body, request, intent } = asking
    if (signer) return completeAsDealer(deps, signer, params.pkgId, body?.pkgId)
    if (!asker.administrator) throw refuse.InvalidAdminAccessToken()
    const completed = await completeDeal({ ...deps, intent }, asker.administrator, params.pkgId, request.id)
    request.dealId = completed._id
    return completed
  })
  registerPartners(door, deps)
  registerMessages(door, deps)
  registerDealers(door, deps)

  answer(door, calls.getBuyer, async ({ asker, params, request }) => {
    await takeTurn(deps, limits.readPerson, asker.user?.id ?? request.ip)
    return { buyer: await read.readPerson(deps, asker, params.id) }
  })
  answer(door, calls.getSeller, async ({ asker, params, request }) => {
    await takeTurn(deps, limits.readPerson, asker.user?.id ?? request.ip)
    return { seller: await read.readPerson(deps, asker, params.id) }
  })
  answer(door, calls.deleteUser, async ({ actor, params, body }) => {
    await deleteUser(deps, actor, params, body.currentPassword)
    return ok
  })
}

const readerOf = ({ user, administrator }: Asker) => user?.id ?? administrator?.username ?? ''
const which = (params: { userId: string; vin: string }, query: { buyerId?: string | undefined }) => ({
  sellerId: params.userId,
  vin: params.vin,
  buyerId: query.buyerId,
})
