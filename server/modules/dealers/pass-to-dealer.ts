import { carName } from '@keyturn/contract/cars/rules.ts'
import type { DealerHandover } from '../agreements/create-deal-package.ts'
import { notifyDealPassed } from './notify.ts'
import { enqueueDealerDelivery } from './webhook-delivery/enqueue-dealer-delivery.ts'

/** Enqueues the delivery of a packaged deal and notifies both parties. */
export const passToDealer: DealerHandover = async (deps, tx, view, passed) => {
  const { packageId, wantsFinancing } = passed
  const { car, deal, dealer } = view
  await enqueueDealerDelivery(deps, tx, {
    dealId: deal.id,
    dealerId: dealer.id,
    packageId,
    car: carName({ year: car.year, make: car.make, carModel: car.model, trim: car.trim }),
    wantsFinancing,
  })
  await notifyDealPassed(deps, tx, view, passed)
}
