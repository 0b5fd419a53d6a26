import type { Deps } from '../../../deps.ts'
import { newOwnedId } from '../../../platform/database/new-id.ts'
import type { Db } from '../../../platform/database/open-database.ts'
import type { EmailContent } from '../../../platform/mail/email-content.ts'
import { enqueueEmail } from '../../../platform/mail/email-queue.ts'
import type { AttachmentSource } from '../../../platform/mail/email-tasks.ts'
import { sentence } from '../../../platform/mail/sentence.ts'
import { readAgreementPdf } from '../../agreements/agreement-pdf-store.ts'
import * as store from './delivery-repository.ts'
import { notifyParked, publishDelivery } from './notify-parked.ts'
import { buildPackage, encodePackage } from './package-payload.ts'

type Passed = { dealId: string; dealerId: string; packageId: string; car: string }

/** Emails the package and the signed agreement to a dealer without a system (R-deals-74). */
export async function enqueueDealerEmail(deps: Deps, tx: Db, passed: Passed, email: string): Promise<void> {
  const { dealId, dealerId } = passed
  const id = newOwnedId(dealId)
  await store.insertDelivery(tx, { id, dealId, dealerId, kind: 'deal.passed', way: 'mail' })
  await sendDealerEmail(deps, tx, { id, email, car: passed.car, packageId: passed.packageId })
}

type Sent = { id: string; email: string; car: string; packageId: string }

export async function sendDealerEmail(
  deps: Deps,
  tx: Db,
  { id, email, car, packageId }: Sent,
): Promise<void> {
  await enqueueEmail(deps, tx, { id: null, email }, emailContent(car, packageId), {
    attachment: `delivery:${id}`,
  })
  // Without SMTP the email goes to the embedded mailbox and counts as delivered.
  if (deps.config.smtpUrl === null) await recordAttempt(tx, id, null, true)
}

/** Contains no personal names; those are in the attachments. */
const emailContent = (car: string, packageId: string): EmailContent => ({
  subject: sentence`A signed deal: ${car}`,
  lines: [
    sentence`The seller and the buyer have both signed the agreement for the ${car}, and the deal is yours.`,
    sentence`Attached are the package, with both people’s details and everything that was agreed, and the agreement as they signed it. The package number is ${packageId}.`,
    sentence`Please contact both of them to set a day and place.`,
  ],
})

/** Creates the attachments when a dealer's email is sent and records the outcome. */
export const dealerAttachments = (deps: Deps): AttachmentSource => ({
  filesOf: async (deliveryId) => {
    const [delivery] = await store.findDelivery(deps.db, { id: deliveryId })
    const packageId = delivery?.packageId
    if (!packageId) return []
    const [found, agreement] = await Promise.all([
      buildPackage(deps, packageId),
      readAgreementPdf(deps, packageId, { reader: packageId }),
    ])
    return [
      {
        filename: `package-${packageId}.json`,
        content: encodePackage(found),
        contentType: 'application/json',
      },
      {
        filename: `agreement-${packageId}.pdf`,
        content: Buffer.from(agreement.bytes),
        contentType: 'application/pdf',
      },
    ]
  },
  tried: async (deliveryId, { because, isOver }) => {
    await recordAttempt(deps.db, deliveryId, because, isOver)
    if (because !== null && !isOver) return
    const [delivery] = await store.findDelivery(deps.db, { id: deliveryId })
    if (!delivery) return
    await publishDelivery(deps.db, delivery)
    if (because !== null) await notifyParked(deps, deps.db, delivery)
  },
})

const recordAttempt = (db: Db, id: string, because: string | null, isOver: boolean): Promise<void> =>
  store.insertDeliveryAttempt(db, {
    id,
    ms: 0,
    status: null,
    because,
    digest: null,
    state: because === null ? 'DELIVERED' : isOver ? 'PARKED' : 'WAITING',
    pauseMs: 0,
  })
