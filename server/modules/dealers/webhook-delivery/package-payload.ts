import { proveLogInclusion, readEvidenceLog } from '@keyturn/contract/agreements/evidence-log.ts'
import {
  type DealerEvent,
  type DeliveredPackage,
  dealerEvent,
  deliveredPackage,
  readPackageSchema1,
  readPackageSchema2,
  readPartnerAgreement,
} from '@keyturn/contract/dealers/dealer-api.ts'
import { buyingTexts } from '@keyturn/contract/deals/buying-texts.ts'
import { deliveredPackage1 } from '@keyturn/contract/frozen/package-1/delivered-package.ts'
import { deliveredPackage2 } from '@keyturn/contract/frozen/package-2/delivered-package.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { photoAddress } from '@keyturn/contract/shared/photo-files.ts'
import { and, desc, eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Config } from '../../../config.ts'
import type { Deps } from '../../../deps.ts'
import type { Db } from '../../../platform/database/open-database.ts'
import { type Placeholders, prepareQuery } from '../../../platform/database/prepare-query.ts'
import { readAgreementPdf } from '../../agreements/agreement-pdf-store.ts'
import { readPackageForDealer } from '../../agreements/create-deal-package.ts'
import { packageHash } from '../../agreements/evidence-hashes.ts'
import { signatures } from '../../agreements/tables.ts'

const addressOn =
  ({ publicUrl }: Pick<Config, 'publicUrl'>) =>
  (path: string) =>
    new URL(path, publicUrl).href

/**
 * Builds the package for a dealer from frozen data, with the means to verify each part
 * (R-deals-74). It is identical at each attempt until a party deletes their account, which removes
 * their contact data.
 */
export async function buildPackage(
  deps: Deps,
  packageId: string,
  { isCallerWaiting = false } = {},
): Promise<DeliveredPackage> {
  const [found, agreement] = await Promise.all([
    readPackageForDealer(deps.db, packageId),
    // A separate reader, so that other pending agreements do not use up its slots.
    readAgreementPdf(deps, packageId, { reader: packageId, isCallerWaiting }),
  ])
  if (!found) throw apiErrors.NotFound()
  const { deal, contents, dealId } = found
  const [seller, buyer] = await Promise.all([
    readLastSignature(deps.db, dealId, 'SELLER'),
    readLastSignature(deps.db, dealId, 'BUYER'),
  ])
  const digest = packageHash(contents).toString('hex')
  const at = addressOn(deps.config)
  const photos = [...deal.car.photos, ...deal.trades.flatMap((trade) => trade.photos)]
  const isVersion2 = 'formatVersion' in deal
  return {
    schema: at((isVersion2 ? readPackageSchema2 : readPackageSchema1).path),
    pkgId: packageId,
    dealer: { name: deal.dealer },
    deal,
    agreement: {
      url: at(readPartnerAgreement.path.replace(':pkgId', packageId)),
      sha256: agreement.digest.toString('hex'),
      bytes: agreement.bytes.length,
      type: 'application/pdf',
    },
    photos: photos.map((photo) => ({
      id: photo.id,
      url: at(photoAddress(photo, photo.width, 'jpg')),
      sha256: photo.id,
    })),
    signatures: { seller, buyer },
    log: {
      digest,
      inclusion: at(proveLogInclusion.path.replace(':digest', digest)),
      head: at(readEvidenceLog.path),
    },
  } as DeliveredPackage
}

/** The last signature that counts: nobody signs after the deal is passed. */
async function readLastSignature(db: Db, dealId: string, party: 'SELLER' | 'BUYER'): Promise<string> {
  const [row] = await findLastSignature(db, { dealId, party })
  if (!row) throw apiErrors.NotFound()
  return row.hash.toString('hex')
}

const findLastSignature = prepareQuery(
  'find-last-signature-of-party',
  (db, p: Placeholders<{ dealId: string; party: 'SELLER' | 'BUYER' }>) =>
    db
      .select({ hash: signatures.hash })
      .from(signatures)
      .where(and(eq(signatures.dealId, p.dealId), eq(signatures.party, p.party)))
      .orderBy(desc(signatures.number))
      .limit(1),
)

export const encodeEvent = (event: DealerEvent): string => JSON.stringify(dealerEvent.encode(event))

export const encodePackage = (found: DeliveredPackage): string =>
  JSON.stringify(deliveredPackage.encode(found), null, 2)

/** The financing wish, if its buyer agreed to be contacted by the dealer about it. */
export async function readFinancingWish(deps: Deps, packageId: string) {
  const found = await readPackageForDealer(deps.db, packageId)
  if (!found?.deal.financing?.contactConsent) throw apiErrors.NotFound()
  const { buyer, dealer, financing } = found.deal
  const { amount, termMonths, downPayment } = financing
  return {
    pkgId: packageId,
    buyer,
    amount,
    termMonths,
    downPayment,
    consent: { given: true as const, words: buyingTexts.financingConsent(dealer) },
  }
}

/** The JSON schemas of both versions as zod generates them, each with the address that packages name. */
export const packageSchemas = (config: Pick<Config, 'publicUrl'>): [string, string] => {
  const write = (schema: z.ZodType, { path }: { path: string }, title: string) =>
    JSON.stringify({
      ...z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12' }),
      $id: addressOn(config)(path),
      title,
    })
  return [
    write(deliveredPackage1, readPackageSchema1, 'Keyturn package, version 1'),
    write(deliveredPackage2, readPackageSchema2, 'Keyturn package, version 2'),
  ]
}
