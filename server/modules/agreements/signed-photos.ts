import type { Photo } from '@keyturn/contract/shared/photo.ts'
import { and, asc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../platform/database/open-database.ts'
import { type Placeholders, prepareQuery } from '../../platform/database/prepare-query.ts'
import type { PictureUse } from '../../platform/storage/sweep-pictures.ts'
import type { DealView } from '../deals/deal-view-repository.ts'
import { dealPhotos } from './tables.ts'

// Photos shown to the parties when they signed. They stay with the signed deal, whatever happens to
// the listing (R-deals-62).

/** Records the current photos as those a signature covers. */
export async function upsertSignedPhotos(
  tx: Db,
  { deal, car }: Pick<DealView, 'deal' | 'car'>,
  photos: readonly Photo[],
): Promise<void> {
  if (photos.length === 0) return
  await upsertPhotos(tx, {
    dealId: deal.id,
    photos: JSON.stringify(photos.map(withoutSource)),
    carTermsVersion: car.termsVersion,
    dealTermsVersion: deal.termsVersion,
  })
}

const withoutSource = ({ id, width, height, placeholder, caption }: Photo): Photo => ({
  id,
  width,
  height,
  placeholder,
  caption,
})

type PhotoTerms = { dealId: string; carTermsVersion: number; dealTermsVersion: number }

const upsertPhotos = prepareQuery(
  'upsert-signed-photos',
  (db, p: Placeholders<PhotoTerms & { photos: string }>) =>
    db
      .insert(dealPhotos)
      .select(
        sql`select ${p.dealId}::char(24), one ->> 'id', one, ${p.carTermsVersion}::int, ${p.dealTermsVersion}::int
        from jsonb_array_elements(${p.photos}::jsonb) one`,
      )
      .onConflictDoUpdate({
        target: [dealPhotos.dealId, dealPhotos.pictureId],
        set: {
          photo: sql`excluded.photo`,
          carTermsVersion: sql`excluded.car_terms_version`,
          dealTermsVersion: sql`excluded.deal_terms_version`,
        },
      }),
)

/**
 * The photos of the agreement: the current ones, then those that were shown at a signature of these
 * terms and have been deleted since then.
 */
export async function readAgreedPhotos(tx: Db, { deal, car }: DealView): Promise<Photo[]> {
  const shown = await findSignedPhotos(tx, {
    dealId: deal.id,
    carTermsVersion: car.termsVersion,
    dealTermsVersion: deal.termsVersion,
  })
  const current = new Set(car.photos.map(({ id }) => id))
  return [...car.photos, ...shown.map(({ photo }) => photo).filter(({ id }) => !current.has(id))]
}

const findSignedPhotos = prepareQuery('find-signed-photos', (db, p: Placeholders<PhotoTerms>) =>
  db
    .select({ photo: dealPhotos.photo })
    .from(dealPhotos)
    .where(
      and(
        eq(dealPhotos.dealId, p.dealId),
        eq(dealPhotos.carTermsVersion, p.carTermsVersion),
        eq(dealPhotos.dealTermsVersion, p.dealTermsVersion),
      ),
    )
    .orderBy(asc(dealPhotos.pictureId)),
)

/**
 * Prevents deletion of used pictures. When a deal ends unsigned, the database drops its references.
 */
export const dealPictureUse: PictureUse = {
  isUsed: (id) => sql`exists (select from ${dealPhotos} where ${dealPhotos.pictureId} = ${id})`,
}
