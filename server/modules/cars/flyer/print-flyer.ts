import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { carFileName } from '@keyturn/contract/cars/car-file-name.ts'
import type { PublicCar, readCarFlyer } from '@keyturn/contract/cars/endpoints.ts'
import { flyerTexts } from '@keyturn/contract/cars/flyer-texts.ts'
import { carName, isSalePending } from '@keyturn/contract/cars/rules.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { formatMiles } from '@keyturn/contract/shared/miles.ts'
import { formatUsd } from '@keyturn/contract/shared/money.ts'
import { photoWidths } from '@keyturn/contract/shared/photo-files.ts'
import { sanitizeLine } from '@keyturn/contract/shared/visible-text.ts'
import type { Deps } from '../../../deps.ts'
import { stateOfZip } from '../../../integrations/sales-tax/tax-rates.ts'
import type { ScopedActor } from '../../../platform/http/authorization.ts'
import { readPhotoFile } from '../../../platform/storage/derived-files.ts'
import { findUndrawable, isPlainText } from '../../../shared/text-layout.ts'
import { readPublicCar } from '../read-public-car.ts'
import type { FlyerPrinter } from './flyer-printer.ts'

type FlyerRequest = EndpointInput<typeof readCarFlyer>['params'] & EndpointInput<typeof readCarFlyer>['query']

/** Prints the caller's live listing. Throws `NotFound` once a buyer is confirmed (R-cars-33). */
export async function printFlyer(
  deps: Deps,
  flyers: FlyerPrinter,
  actor: ScopedActor,
  options: FlyerRequest,
) {
  const { car, user } = await readPublicCar(deps.db, actor.id, options.vin)
  // "For Sale" would no longer be true.
  if (isSalePending(car)) throw apiErrors.NotFound()
  const query = new URLSearchParams({ userId: actor.id, vin: car.vin })
  const bytes = await flyers.print(
    {
      paper: options.paper,
      title: carName(car),
      price: car.price === null ? carTexts.toBeAgreed : formatUsd(car.price),
      facts: factsOf(car),
      remark: car.payoff ? carTexts.owed : null,
      body: car.bodyType,
      photo: await readFirstPhoto(deps, car),
      link: `${deps.config.publicUrl.origin}/car?${query}`,
      seller:
        options.contact === 'true'
          ? [legibleName(user), user.phoneNumber, user.email].filter(Boolean).join(' · ')
          : null,
    },
    actor.id,
  )
  return { name: carFileName(car, 'flyer.pdf'), bytes }
}

const { sheet } = flyerTexts

/**
 * Leaves out a name that cannot be printed. In one that is written from right to left, the isolates
 * keep the phone number behind it.
 */
function legibleName(user: Parameters<typeof fullName>[0]): string {
  const name = fullName(user)
  if (findUndrawable(name)) return ''
  return isPlainText(name) ? name : `\u2068${name}\u2069`
}

function factsOf({ mileage, color, zipCode }: PublicCar) {
  const facts = [
    { label: sheet.mileage, value: formatMiles(mileage) },
    { label: sheet.color, value: sanitizeLine(color) },
  ]
  if (!zipCode) return facts
  return [...facts, { label: sheet.where, value: carTexts.public.where(zipCode, stateOfZip(zipCode)) }]
}

/** At the printed width; a larger file would look the same. */
async function readFirstPhoto(deps: Deps, { photos: [first] }: PublicCar): Promise<Uint8Array | null> {
  if (!first) return null
  const width = photoWidths(first).find((one) => one >= 1280) ?? first.width
  const bytes = await readPhotoFile(deps, first, width).catch((error) => {
    deps.log.error({ err: error }, 'a photo could not be read')
    return null
  })
  if (!bytes) throw apiErrors.Unavailable()
  return bytes
}
