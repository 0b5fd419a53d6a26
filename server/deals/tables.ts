import type { LogKind } from '@keyturn/contract/agreements/evidence-log.ts'
import type { DealerEventType } from '@keyturn/contract/dealers/dealer-api.ts'
import type { DeliveryState, DeliveryWay } from '@keyturn/contract/dealers/endpoints.ts'
import type { PaperSize } from '@keyturn/contract/deals/endpoints.ts'
import type { DealEventName } from '@keyturn/contract/deals/events.ts'
import type { DealParty, DealStatus } from '@keyturn/contract/deals/rules.ts'
import type { Financing } from '@keyturn/contract/deals/shapes.ts'
import type { Photo } from '@keyturn/contract/shared/photo.ts'
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  integer,
  type PgTable,
  pgTable,
  primaryKey,
  smallint,
  text,
} from 'drizzle-orm/pg-core'
import { bytes, centsColumn, idColumn, json, moment, now, sumColumn, versionColumn } from '../db/columns.ts'

export const deals = pgTable('deals', {
  id: idColumn('id').primaryKey(),
  carId: idColumn('car_id').notNull(),
  sellerId: idColumn('seller_id').notNull(),
  buyerId: idColumn('buyer_id').notNull(),
  status: text('status').$type<DealStatus>().notNull().default('STARTED'),
  priceCents: centsColumn('price_cents'),
  sellerMessage: text('seller_message').notNull().default(''),
  activeStep: integer('active_step').notNull().default(0),
  reachedStep: integer('reached_step').notNull().default(0),
  hasTrade: boolean('has_trade'),
  needsFinancing: boolean('needs_financing'),
  financing: json('financing').$type<Financing>(),
  chosenTradeVins: text('chosen_trade_vins').array().notNull().default(sql`'{}'`),
  termsVersion: integer('terms_version').notNull().default(1),
  termsAt: moment('terms_at').notNull().default(now),
  version: versionColumn(),
  createdAt: moment('created_at').notNull().default(now),
  requestedAt: moment('requested_at'),
  acceptedAt: moment('accepted_at'),
  exclusiveUntil: moment('exclusive_until'),
  lapsedAt: moment('lapsed_at'),
  passedAt: moment('passed_at'),
  packageId: idColumn('package_id'),
  completedAt: moment('completed_at'),
  withdrawnAt: moment('withdrawn_at'),
  /** Set with `passedAt`: until then it is whoever is nearest (`dealer_for`). */
  dealerId: idColumn('dealer_id'),
  soldElsewhere: boolean('sold_elsewhere').notNull().default(false),
})

/** In this deal the car is promised or sold. It stands here, and not in `states.ts`, for the queries of cars. */
export const hasCar = (deal: PgTable): SQL<boolean> => sql`has_car(${deal})`

export const dealers = pgTable('dealers', {
  id: idColumn('id').primaryKey(),
  /** Null, as what follows: as the settings say. */
  name: text('name'),
  webhookUrl: text('webhook_url'),
  secrets: bytes('secrets'),
  email: text('email'),
  phone: text('phone'),
  hours: text('hours'),
  active: boolean('active').notNull().default(true),
  isDefault: boolean('is_default').notNull().default(false),
  version: versionColumn(),
  createdAt: moment('created_at').notNull().default(now),
})

export const dealerAreas = pgTable('dealer_areas', {
  dealerId: idColumn('dealer_id').notNull(),
  firstZip: integer('first_zip').notNull(),
  lastZip: integer('last_zip').notNull(),
})

export const deliveries = pgTable('deliveries', {
  id: idColumn('id').primaryKey(),
  number: bigint('number', { mode: 'number' }).generatedAlwaysAsIdentity(),
  dealId: idColumn('deal_id'),
  dealerId: idColumn('dealer_id').notNull(),
  kind: text('kind').$type<DealerEventType>().notNull(),
  way: text('way').$type<DeliveryWay>().notNull(),
  state: text('state').$type<DeliveryState>().notNull().default('WAITING'),
  payloadDigest: bytes('payload_digest'),
  tries: integer('tries').notNull().default(0),
  nextTryAt: moment('next_try_at').notNull().default(now),
  giveUpAt: moment('give_up_at').notNull().default(sql`keyturn_now() + interval '3 days'`),
  createdAt: moment('created_at').notNull().default(now),
  endedAt: moment('ended_at'),
})

export const deliveryTries = pgTable('delivery_tries', {
  deliveryId: idColumn('delivery_id').notNull(),
  at: moment('at').notNull().default(now),
  number: integer('number').notNull(),
  ms: integer('ms').notNull(),
  status: integer('status'),
  because: text('because'),
  rowSum: sumColumn(),
})

export const partnerCalls = pgTable('partner_calls', {
  dealerId: idColumn('dealer_id').notNull(),
  webhookId: text('webhook_id').notNull(),
  packageId: idColumn('package_id').notNull(),
  bodyDigest: bytes('body_digest').notNull(),
  at: moment('at').notNull().default(now),
  rowSum: sumColumn(),
})

/** How many deals there are of each state, as changes to add up (decision 51). */
export const dealCounts = pgTable('deal_counts', {
  id: bigint('id', { mode: 'number' }).generatedAlwaysAsIdentity().primaryKey(),
  state: text('state').notNull(),
  change: bigint('change', { mode: 'number' }).notNull(),
})

export const dealTrades = pgTable('deal_trades', {
  tradeId: idColumn('trade_id').primaryKey(),
  dealId: idColumn('deal_id').notNull(),
})

export const signatures = pgTable('signatures', {
  id: idColumn('id').primaryKey(),
  number: bigint('number', { mode: 'number' }).generatedAlwaysAsIdentity(),
  dealId: idColumn('deal_id').notNull(),
  party: text('party').$type<'SELLER' | 'BUYER'>().notNull(),
  signerId: idColumn('signer_id').notNull(),
  signerEmail: text('signer_email').notNull(),
  signerVerifiedAt: moment('signer_verified_at').notNull(),
  sessionId: idColumn('session_id').notNull(),
  name: text('name').notNull(),
  signature: text('signature').notNull(),
  carTermsVersion: integer('car_terms_version').notNull(),
  dealTermsVersion: integer('deal_terms_version').notNull(),
  terms: text('terms').notNull(),
  termsHash: bytes('terms_hash').notNull(),
  textVersion: text('text_version').notNull(),
  consentVersion: text('consent_version'),
  hashedAs: smallint('hashed_as').notNull(),
  sheet: text('sheet').notNull(),
  sheetHash: bytes('sheet_hash').notNull(),
  drawing: text('drawing'),
  signedAt: moment('signed_at').notNull().default(now),
  ip: text('ip'),
  userAgent: text('user_agent'),
  previousHash: bytes('previous_hash'),
  hash: bytes('hash').notNull(),
  rowSum: sumColumn(),
})

/** Of each person the last row says how it stands. */
export const consents = pgTable('consents', {
  id: bigint('id', { mode: 'number' }).generatedAlwaysAsIdentity().primaryKey(),
  personId: idColumn('person_id').notNull(),
  deed: text('deed').$type<'given' | 'withdrawn'>().notNull(),
  version: text('version').notNull(),
  at: moment('at').notNull().default(now),
  sessionId: idColumn('session_id').notNull(),
  ip: text('ip'),
  userAgent: text('user_agent'),
  previousHash: bytes('previous_hash'),
  hash: bytes('hash').notNull(),
  rowSum: sumColumn(),
})

export const dealEvents = pgTable('deal_events', {
  id: bigint('id', { mode: 'number' }).generatedAlwaysAsIdentity().primaryKey(),
  dealId: idColumn('deal_id').notNull(),
  at: moment('at').notNull().default(now),
  actor: text('actor').$type<DealParty>().notNull(),
  actorId: idColumn('actor_id'),
  event: text('event').$type<DealEventName>().notNull(),
  /** Read by `readDealEvent`. */
  facts: json('facts').notNull(),
  sessionId: idColumn('session_id'),
  requestId: text('request_id'),
  ip: text('ip'),
  previousHash: bytes('previous_hash'),
  hash: bytes('hash').notNull(),
  rowSum: sumColumn(),
})

/** What the two write to each other; `text` is null once nobody is left who could read it. */
export const dealMessages = pgTable('deal_messages', {
  id: idColumn('id').primaryKey(),
  number: bigint('number', { mode: 'number' }).generatedAlwaysAsIdentity(),
  dealId: idColumn('deal_id').notNull(),
  senderId: idColumn('sender_id').notNull(),
  text: text('text'),
  sentAt: moment('sent_at').notNull().default(now),
})

export const messagesSeen = pgTable(
  'messages_seen',
  {
    dealId: idColumn('deal_id').notNull(),
    personId: idColumn('person_id').notNull(),
    upTo: bigint('up_to', { mode: 'number' }).notNull(),
  },
  (seen) => [primaryKey({ columns: [seen.dealId, seen.personId] })],
)

/** What the other one wrote and this person was not shown yet (R-deals-85); the bell asks it of notices, too. */
export const isUnseen = (personId: SQLWrapper) =>
  sql<boolean>`(${dealMessages.senderId} <> ${personId} and ${dealMessages.number} > coalesce((select ${messagesSeen.upTo} from ${messagesSeen}
    where ${messagesSeen.dealId} = ${dealMessages.dealId} and ${messagesSeen.personId} = ${personId}), 0))`

export const messageReports = pgTable('message_reports', {
  messageId: idColumn('message_id').primaryKey(),
  reporterId: idColumn('reporter_id').notNull(),
  reason: text('reason'),
  reportedAt: moment('reported_at').notNull().default(now),
  handledAt: moment('handled_at'),
})

/** What the two of a deal were shown when they signed, each with the terms that it was shown with last. */
export const dealPhotos = pgTable('deal_photos', {
  dealId: idColumn('deal_id').notNull(),
  pictureId: text('picture_id').notNull(),
  photo: json('photo').$type<Photo>().notNull(),
  carTermsVersion: integer('car_terms_version').notNull(),
  dealTermsVersion: integer('deal_terms_version').notNull(),
})

export const packages = pgTable('packages', {
  id: idColumn('id').primaryKey(),
  dealId: idColumn('deal_id').notNull(),
  contents: json('contents').notNull(),
  createdAt: moment('created_at').notNull().default(now),
  rowSum: sumColumn(),
})

export const agreementPdfs = pgTable('agreement_pdfs', {
  packageId: idColumn('package_id').notNull(),
  size: text('size').$type<PaperSize>().notNull(),
  bytes: bytes('bytes').notNull(),
  digest: bytes('digest').notNull(),
  sealedWith: bytes('sealed_with').notNull(),
  madeAt: moment('made_at').notNull().default(now),
  rowSum: sumColumn(),
})

export const sealCertificates = pgTable('seal_certificates', {
  fingerprint: bytes('fingerprint').primaryKey(),
  certificate: bytes('certificate').notNull(),
  firstUsedAt: moment('first_used_at').notNull().default(now),
  rowSum: sumColumn(),
})

export const logLeaves = pgTable('log_leaves', {
  place: bigint('place', { mode: 'number' }).primaryKey(),
  kind: text('kind').$type<LogKind>().notNull(),
  rowId: idColumn('row_id').notNull(),
  digest: bytes('digest').notNull(),
  rowSum: sumColumn(),
})

/** Of every 2^level leaves that are there, the hash of those from place * 2^level on. */
export const logNodes = pgTable('log_nodes', {
  level: smallint('level').notNull(),
  place: bigint('place', { mode: 'number' }).notNull(),
  hash: bytes('hash').notNull(),
  rowSum: sumColumn(),
})

export const logKeys = pgTable('log_keys', {
  id: text('id').primaryKey(),
  verifier: text('verifier').notNull(),
  firstUsedAt: moment('first_used_at').notNull().default(now),
  rowSum: sumColumn(),
})

export const logHeads = pgTable('log_heads', {
  size: bigint('size', { mode: 'number' }).primaryKey(),
  root: bytes('root').notNull(),
  at: moment('at').notNull().default(now),
  keyId: text('key_id').notNull(),
  note: text('note').notNull(),
  rowSum: sumColumn(),
})
