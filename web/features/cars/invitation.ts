import { fullName } from '@keyturn/contract/accounts/rules.ts'
import type { Car } from '@keyturn/contract/cars/endpoints.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'

export type Invitation = { title: string; text: string; url: string }

export function createInvitation(
  { year, make, carModel }: Pick<Car, 'year' | 'make' | 'carModel'>,
  seller: Parameters<typeof fullName>[0],
  url: string,
): Invitation {
  const title = carName({ year, make, carModel })
  return { title, text: carTexts.public.welcome(fullName(seller), title), url }
}

export const mailtoHref = ({ title, text, url }: Invitation): string =>
  `mailto:?subject=${encodeURIComponent(title)}&body=${encodeURIComponent(`${text}\n\n${url}`)}`

type Device = { share?: (invitation: Invitation) => Promise<unknown> }

export const hasShareSheet = (device: Device): boolean => typeof device.share === 'function'

/**
 * Opens the device's share sheet. Returns false if that does not work here; closing the sheet
 * counts as success.
 */
export async function openShareSheet(device: Device, invitation: Invitation): Promise<boolean> {
  try {
    await device.share?.(invitation)
    return hasShareSheet(device)
  } catch (fault) {
    return fault instanceof Error && fault.name === 'AbortError'
  }
}
