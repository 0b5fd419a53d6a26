import { readAgreementPdf } from '@keyturn/contract/agreements/endpoints.ts'
import { listNotifications, markAllRead } from '@keyturn/contract/notifications/endpoints.ts'
import { aBuyer, aSeller } from '../../tests/support/people.ts'
import { addPhoto, aScene } from '../../tests/support/pictures.ts'
import {
  aListing,
  aRequest,
  confirmBuyer,
  readProgressOf,
  signAsBuyer,
  signAsSeller,
} from '../../tests/support/sales/deals.ts'
import type { SalesServer } from './open-server.ts'

export const photosASale = 8

/** Makes one sale by the requests of two new people, until the dealer has it and both have the PDF. */
export async function makeSale(server: SalesServer, lastName: string, firstPhoto: number): Promise<void> {
  const seller = await aSeller(server, { firstName: 'Selma', lastName })
  const buyer = await aBuyer(server, { firstName: 'Basil', lastName })
  const listing = await aListing(server, {}, seller)
  for (let index = 0; index < photosASale; index++)
    await addPhoto(seller, listing.car, await aScene(firstPhoto + index))
  const sale = { ...listing, buyer }
  await aRequest(sale, buyer, 9000)
  await server.runJobs()
  await confirmBuyer(sale)
  await signAsSeller(sale, `Selma ${lastName}`)
  await signAsBuyer(sale, `Basil ${lastName}`)
  await server.runJobs()
  const { pkgId = '' } = await readProgressOf(sale)
  for (const person of [seller, buyer]) {
    await server.app.inject({
      url: readAgreementPdf.path.replace(':pkgId', pkgId ?? ''),
      headers: { cookie: [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    })
  }
  // The seller has read the notifications, the buyer has not.
  const [newest] = await seller.ask(listNotifications, {})
  if (newest) await seller.ask(markAllRead, { body: { upTo: newest._id } })
}
