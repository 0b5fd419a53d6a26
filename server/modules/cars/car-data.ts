import { sql } from 'drizzle-orm'
import {
  type DataRow,
  type DataSection,
  defineDataSection,
  toAmount,
  toMoment,
} from '../../platform/personal-data/data-section.ts'
import { photoLinks } from '../../platform/personal-data/photo-links.ts'
import type { StoredPhoto } from '../../platform/storage/pictures.ts'

type Listing = {
  id: string
  vin: string
  year: number
  make: string
  model: string
  trim: string
  mileage: number
  color: string
  zip_code: string | null
  price_cents: number | null
  payoff: boolean
  payoff_cents: number | null
  lender: string
  message: string
  description: string
  condition: string
  owners: number | null
  title_holder: string | null
  photos: StoredPhoto[]
  created_at: string
  completed_at: string | null
  deleted_at: string | null
  removed_because: string | null
}
const listings = defineDataSection<Listing>({
  name: 'cars',
  title: 'Cars that you listed',
  tables: ['cars'],
  select: ({ personId }) => sql`select * from cars where seller_id = ${personId}`,
  toRow: (row, reader) => ({
    vin: row.vin,
    year: row.year,
    make: row.make,
    model: row.model,
    trim: row.trim,
    mileage: row.mileage,
    color: row.color,
    zipCode: row.zip_code,
    askingPrice: toAmount(row.price_cents),
    hasLoan: row.payoff,
    amountOwed: row.payoff ? toAmount(row.payoff_cents) : null,
    lender: row.payoff ? row.lender : '',
    message: row.message,
    description: row.description,
    condition: row.condition,
    owners: row.owners,
    titleHolder: row.title_holder,
    listedAt: toMoment(row.created_at),
    soldAt: toMoment(row.completed_at),
    takenDownAt: toMoment(row.deleted_at),
    takenDownBecause: row.removed_because,
    photos: photoLinks(reader, row.photos),
  }),
})

type Claim = {
  id: string
  vin: string
  reason: string | null
  facts: DataRow | null
  claimed_at: string
  handled_at: string | null
  outcome: string | null
}
const claims = defineDataSection<Claim>({
  name: 'reportedListings',
  title: 'Listings of your car that you reported',
  tables: ['car_claims'],
  select: ({ personId }) => sql`select car_claims.id, cars.vin, reason, facts, claimed_at, handled_at, outcome
    from car_claims join cars on cars.id = car_claims.car_id where claimant_id = ${personId}`,
  toRow: (row) => ({
    vin: row.vin,
    reason: row.reason,
    whatYouEntered: row.facts,
    reportedAt: toMoment(row.claimed_at),
    handledAt: toMoment(row.handled_at),
    outcome: row.outcome?.toLowerCase() ?? null,
  }),
})

export const carData: readonly DataSection[] = [listings, claims]
