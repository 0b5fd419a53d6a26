import { fullName } from '@keyturn/contract/accounts/rules.ts'
import type { TradeMoveActor } from '@keyturn/contract/trades/rules.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { sql } from 'drizzle-orm'
import {
  carTitle,
  type DataSection,
  defineDataSection,
  toAmount,
  toMoment,
} from '../../platform/personal-data/data-section.ts'
import { photoLinks } from '../../platform/personal-data/photo-links.ts'
import type { StoredPhoto } from '../../platform/storage/pictures.ts'
import { findTradeHistory, type HistoryRow } from './trade-events.ts'

type OwnTrade = {
  id: string
  vin: string
  year: number
  make: string
  model: string
  trim: string
  mileage: number
  color: string
  zip_code: string
  payoff: boolean
  payoff_cents: number | null
  lender: string
  message: string
  status: string
  price_cents: number | null
  tax_credit_cents: number | null
  tax_rate: string | null
  photos: StoredPhoto[]
  created_at: string
  deleted_at: string | null
}

/** With its history, as the owner reads it on the screen of the trade. */
const trades = defineDataSection<OwnTrade>({
  name: 'trades',
  title: 'Your trades, with the offers for them',
  tables: ['trades', 'trade_events'],
  select: ({ personId }) => sql`select * from trades where owner_id = ${personId}`,
  toRow: async (row, reader) => ({
    vin: row.vin,
    year: row.year,
    make: row.make,
    model: row.model,
    trim: row.trim,
    mileage: row.mileage,
    color: row.color,
    zipCode: row.zip_code,
    hasLoan: row.payoff,
    amountOwed: row.payoff ? toAmount(row.payoff_cents) : null,
    lender: row.payoff ? row.lender : '',
    message: row.message,
    status: row.status.toLowerCase(),
    price: toAmount(row.price_cents),
    salesTaxCredit: toAmount(row.tax_credit_cents),
    taxRate: row.tax_rate,
    addedAt: toMoment(row.created_at),
    deletedAt: toMoment(row.deleted_at),
    photos: photoLinks(reader, row.photos),
    history: (await findTradeHistory(reader.db, { tradeId: row.id })).map(toHistory),
  }),
})

const actors: Record<TradeMoveActor, string> = {
  OWNER: 'You',
  WHOLESALER: 'A wholesaler',
  ADMIN: 'Administrator',
  CLOCK: 'Automatic',
}

const toHistory = ({ at, actor, firstName, lastName, event, priceCents }: HistoryRow) => ({
  at,
  by: actor === 'WHOLESALER' && firstName && lastName ? fullName({ firstName, lastName }) : actors[actor],
  event: tradeTexts.events[event],
  price: toAmount(priceCents),
})

type OpenOffer = {
  id: string
  year: number
  make: string
  model: string
  vin: string
  price_cents: number | null
  moved_at: string
  offer_expires_at: string | null
}
/** Earlier offers are in the history of a trade, which belongs to its owner. */
const openOffers = defineDataSection<OpenOffer>({
  name: 'openOffers',
  title: 'Offers of yours that are open',
  tables: [],
  select: ({ personId }) => sql`select id, year, make, model, vin, price_cents, moved_at, offer_expires_at
    from trades where offered_by = ${personId} and status = 'OFFERED' and deleted_at is null`,
  toRow: (row) => ({
    car: carTitle(row),
    vin: row.vin,
    price: toAmount(row.price_cents),
    offeredAt: toMoment(row.moved_at),
    expiresAt: toMoment(row.offer_expires_at),
  }),
})

type Look = { id: string; year: number; make: string; model: string; first_at: string }
/** The person's own looks; who looked at theirs is a part of its own. */
const ownLooks = defineDataSection<Look>({
  name: 'contactDataYouSaw',
  title: 'Trades with which you were shown contact data',
  tables: ['contact_looks'],
  select: ({
    personId,
  }) => sql`select contact_looks.trade_id || contact_looks.day as id, year, make, model, first_at
    from contact_looks join trades on trades.id = contact_looks.trade_id where viewer_id = ${personId}`,
  toRow: (row) => ({ car: carTitle(row), at: toMoment(row.first_at) }),
})

export const tradeData: readonly DataSection[] = [trades, openOffers, ownLooks]
