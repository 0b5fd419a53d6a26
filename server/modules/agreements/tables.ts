import type { PaperSize } from '@keyturn/contract/agreements/endpoints.ts'
import type { LogKind } from '@keyturn/contract/agreements/evidence-log.ts'
import type { Photo } from '@keyturn/contract/shared/photo.ts'
import { bigint, integer, pgTable, smallint, text } from 'drizzle-orm/pg-core'
import { bytes, idColumn, json, moment, now, sumColumn } from '../../platform/database/columns.ts'

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

/** A person's last row is their current consent. */
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

/** The hash of the 2^level leaves from place * 2^level on, once all of them exist. */
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

/** Photos shown to the parties when they signed, each with the terms of its last showing. */
export const dealPhotos = pgTable('deal_photos', {
  dealId: idColumn('deal_id').notNull(),
  pictureId: text('picture_id').notNull(),
  photo: json('photo').$type<Photo>().notNull(),
  carTermsVersion: integer('car_terms_version').notNull(),
  dealTermsVersion: integer('deal_terms_version').notNull(),
})
