import type { DealerDetails } from '@keyturn/contract/cars/car-pages.ts'
import type { Car, CarDetails } from '@keyturn/contract/cars/endpoints.ts'
import { bodyTypeOf, type SaleStatus } from '@keyturn/contract/cars/rules.ts'
import { cents } from '@keyturn/contract/shared/money.ts'
import { sanitizeLine } from '@keyturn/contract/shared/visible-text.ts'
import type { DealerFacts } from '../deals/state-sql.ts'
import type { SellerCar } from './seller-car-repository.ts'
import type { CarRow, PublicCarRow } from './tables.ts'

/** Maps a seller's car with the buyer and the state of the intended buyer's request. */
export const toSellerCar = ({
  car,
  deal,
  newestRequest,
}: Pick<SellerCar, 'car' | 'deal' | 'newestRequest'>): Car =>
  toCar(car, {
    buyerId: deal?.buyerId ?? null,
    status: car.completedAt ? 'COMPLETED' : deal ? toSaleStatus(deal.status) : 'PENDING',
    version: Math.max(car.version, newestRequest),
    requestVersion: deal?.version ?? null,
  })

/** A buyer who has only started has no status yet. */
export const toSaleStatus = (status: SaleStatus | 'STARTED'): SaleStatus | null =>
  status === 'STARTED' ? null : status

/** The fields of a car that depend on its deals. Omitted fields describe a car for sale. */
type DealState = Partial<
  Pick<
    Car,
    | 'buyerId'
    | 'status'
    | 'price'
    | 'message'
    | 'taken'
    | 'soldElsewhere'
    | 'fullySigned'
    | 'version'
    | 'requestVersion'
  >
>

type LoanRow = Pick<CarRow, 'payoff' | 'payoffAmount' | 'lender'>

/** What is owed on a car or a trade, for its owner and in the terms; nothing once it is paid off. */
export const toLoan = ({ payoff, payoffAmount, lender }: LoanRow) => ({
  payoffAmount: payoff && payoffAmount !== null ? cents(payoffAmount) : null,
  lender: payoff ? sanitizeLine(lender) : '',
})

export const toCarFacts = (row: PublicCarRow) => ({
  make: row.make,
  carModel: row.model,
  year: row.year,
  trim: row.trim,
  mileage: row.mileage,
  color: row.color,
  payoff: row.payoff,
})

export const toCarDetails = (row: PublicCarRow): CarDetails => ({
  ...toCarFacts(row),
  bodyType: bodyTypeOf(row.bodyClass),
  photos: row.photos,
  description: row.description,
  condition: row.condition,
  owners: row.owners,
  titleHolder: row.titleHolder,
})

export const toPublicCar = (row: PublicCarRow) => ({
  _id: row.id,
  sellerId: row.sellerId,
  vin: row.vin,
  ...toCarDetails(row),
  price: row.priceCents === null ? null : cents(row.priceCents),
  zipCode: row.zipCode,
  version: row.version,
  createdAt: row.createdAt.toISOString(),
})

/** A car as a party to it sees it (R-cars-16). */
export const toCar = (row: CarRow, dealState: DealState = {}): Car => ({
  ...toPublicCar(row),
  buyerId: null,
  status: row.completedAt ? 'COMPLETED' : 'PENDING',
  message: row.message,
  taken: false,
  requestVersion: null,
  ...dealState,
})

/** The dealer of a car or deal, current or prospective. The default dealer's data comes from the settings. */
export const toDealerContact = (
  { isDefault, name, phone, hours }: DealerFacts,
  defaultDealer: DealerDetails,
): DealerDetails => (isDefault ? defaultDealer : { name: name ?? '', address: null, phone, hours })
