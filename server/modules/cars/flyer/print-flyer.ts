import { fullName } from '@keyturn/contract/accounts/rules.ts'
import type { carFlyer, PublicCar } from '@keyturn/contract/cars/endpoints.ts'
import { fileNameOf } from '@keyturn/contract/cars/file-names.ts'
import { flyerTexts } from '@keyturn/contract/cars/flyer-texts.ts'
import { carName, isSalePending } from '@keyturn/contract/cars/rules.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { formatMiles } from '@keyturn/contract/shared/miles.ts'
import { formatUsd } from '@keyturn/contract/shared/money.ts'
import { widthsOf } from '@keyturn/contract/shared/photo-files.ts'
import { shownLine } from '@keyturn/contract/shared/words.ts'
import type { Deps } from '../../../deps.ts'
import { stateOf } from '../../../integrations/sales-tax/tax-rates.ts'
import type { UserActor } from '../../../platform/http/authorization.ts'
import { readPhoto } from '../../../platform/storage/derived-files.ts'
import { readPublicCar } from '../read-public-car.ts'
import type { Flyers } from './flyers.ts'

type Wish = EndpointInput<typeof carFlyer>['params'] & EndpointInput<typeof carFlyer>['query']

/**
 * Prints the caller's live listing until a buyer is confirmed; throws NotFound otherwise
 * (R-cars-33).
 */
export async function printFlyer(deps: Deps, flyers: Flyers, actor: UserActor, wish: Wish) {
  const { car, user } = await readPublicCar(deps.db, actor.id, wish.vin)
  // "For Sale" would no longer be true.
  if (isSalePending(car)) throw apiErrors.NotFound()
  const query = new URLSearchParams({ userId: actor.id, vin: car.vin })
  const bytes = await flyers.print(
    {
      paper: wish.paper,
      title: carName(car),
      price: car.price === null ? carTexts.toBeAgreed : formatUsd(car.price),
      facts: factsOf(car),
      remark: car.payoff ? carTexts.owed : null,
      body: car.bodyType,
      photo: await firstPhotoOf(deps, car),
      link: `${deps.config.publicUrl.origin}/car?${query}`,
      seller:
        wish.contact === 'true'
          ? [fullName(user), user.phoneNumber, user.email].filter(Boolean).join(' · ')
          : null,
    },
    actor.id,
  )
  return { name: fileNameOf(car, 'flyer.pdf'), bytes }
}

const { sheet } = flyerTexts

function factsOf({ mileage, color, zipCode }: PublicCar) {
  const facts = [
    { label: sheet.mileage, value: formatMiles(mileage) },
    { label: sheet.color, value: shownLine(color) },
  ]
  if (!zipCode) return facts
  return [...facts, { label: sheet.where, value: carTexts.public.where(zipCode, stateOf(zipCode)) }]
}

/** At the printed width; a larger file would look the same. */
async function firstPhotoOf(deps: Deps, { photos: [first] }: PublicCar): Promise<Uint8Array | null> {
  if (!first) return null
  const width = widthsOf(first).find((one) => one >= 1280) ?? first.width
  const bytes = await readPhoto(deps, first, width).catch((error) => {
    deps.log.error({ err: error }, 'a photo could not be read')
    return null
  })
  if (!bytes) throw apiErrors.Unavailable()
  return bytes
}
