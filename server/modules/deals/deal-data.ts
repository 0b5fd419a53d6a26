import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { eventLines } from '@keyturn/contract/deals/events.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { sql } from 'drizzle-orm'
import {
  carTitle,
  type DataRow,
  type DataSection,
  defineDataSection,
  toAmount,
  toMoment,
} from '../../platform/personal-data/data-section.ts'
import { findTimeline, type TimelineRow } from './deal-view-repository.ts'
import { toTimelineEntry } from './mappers.ts'

type OwnDeal = {
  id: string
  is_seller: boolean
  other_first_name: string
  other_last_name: string
  vin: string
  year: number
  make: string
  model: string
  status: string
  price_cents: number | null
  proposed_cents: number | null
  seller_message: string
  trade_vins: string[]
  has_trade: boolean | null
  needs_financing: boolean | null
  financing: DataRow | null
  created_at: string
  requested_at: string | null
  accepted_at: string | null
  passed_at: string | null
  completed_at: string | null
  withdrawn_at: string | null
}

/**
 * The person's deals with their timelines. Of the other party it has the name alone, and a seller
 * gets neither a purchase that was not requested nor what only its buyer reads (R-accounts-50).
 */
const deals = defineDataSection<OwnDeal>({
  name: 'deals',
  title: 'Your purchases and sales',
  tables: ['deals', 'deal_trades', 'deal_events'],
  select: ({
    personId,
  }) => sql`select deals.*, deals.seller_id = ${personId} as is_seller, cars.vin, year, make, model,
    other.first_name as other_first_name, other.last_name as other_last_name,
    array(select trades.vin from deal_trades join trades on trades.id = deal_trades.trade_id
      where deal_trades.deal_id = deals.id order by trades.vin) as trade_vins
    from deals join cars on cars.id = deals.car_id
    join users other on other.id = case when deals.seller_id = ${personId} then deals.buyer_id else deals.seller_id end
    where deals.buyer_id = ${personId} or deals.seller_id = ${personId} and requested_at is not null`,
  toRow: async (row, { db }) => ({
    you: row.is_seller ? 'Seller' : 'Buyer',
    otherSide: fullName({ firstName: row.other_first_name, lastName: row.other_last_name }),
    car: carTitle(row),
    vin: row.vin,
    status: row.status.toLowerCase(),
    price: toAmount(row.price_cents),
    proposedPrice: toAmount(row.proposed_cents),
    sellersMessage: row.seller_message,
    tradesInTheRequest: row.trade_vins,
    hasTradeIn: row.is_seller ? null : row.has_trade,
    wantsFinancing: row.is_seller ? null : row.needs_financing,
    financing: row.is_seller ? null : row.financing,
    startedAt: row.is_seller ? null : toMoment(row.created_at),
    requestedAt: toMoment(row.requested_at),
    confirmedAt: toMoment(row.accepted_at),
    passedToTheDealerAt: toMoment(row.passed_at),
    completedAt: toMoment(row.completed_at),
    endedAt: toMoment(row.withdrawn_at),
    timeline: (await findTimeline(db, { dealId: row.id })).map(toEvent),
  }),
})

const actors: Record<TimelineRow['actor'], string> = {
  BUYER: 'Buyer',
  SELLER: 'Seller',
  CLOCK: 'Keyturn',
  ADMIN: 'Administrator',
  DEALER: 'Dealer',
}

function toEvent(row: TimelineRow): DataRow {
  const { actor, name, event, facts } = toTimelineEntry(row)
  const { from = '', to = '' } = eventLines(facts)
  return { at: row.at, by: name ?? actors[actor], event: dealTexts.events[event], before: from, after: to }
}

export const dealData: readonly DataSection[] = [deals]
