import type { Party } from '@keyturn/contract/accounts/rules.ts'
import type { PaperSize } from '@keyturn/contract/agreements/endpoints.ts'
import type { LogKind } from '@keyturn/contract/agreements/evidence-log.ts'
import type { Photo } from '@keyturn/contract/shared/photo.ts'
import { bigint, boolean, integer, pgTable, smallint, text } from 'drizzle-orm/pg-core'
import {
  bytesColumn,
  idColumn,
  jsonColumn,
  momentColumn,
  now,
  sumColumn,
} from '../../platform/database/columns.ts'

export const signatures = pgTable('signatures', {
  id: idColumn('id').primaryKey(),
  number: bigint('number', { mode: 'number' }).generatedAlwaysAsIdentity(),
  dealId: idColumn('deal_id').notNull(),
  party: text('party').$type<'SELLER' | 'BUYER'>().notNull(),
  signerId: idColumn('signer_id').notNull(),
  signerEmail: text('signer_email').notNull(),
  signerVerifiedAt: momentColumn('signer_verified_at').notNull(),
  sessionId: idColumn('session_id').notNull(),
  name: text('name').notNull(),
  signature: text('signature').notNull(),
  carTermsVersion: integer('car_terms_version').notNull(),
  dealTermsVersion: integer('deal_terms_version').notNull(),
  terms: text('terms').notNull(),
  termsHash: bytesColumn('terms_hash').notNull(),
  textVersion: text('text_version').notNull(),
  consentVersion: text('consent_version'),
  hashedAs: smallint('hashed_as').notNull(),
  sheet: text('sheet').notNull(),
  sheetHash: bytesColumn('sheet_hash').notNull(),
  drawing: text('drawing'),
  signedAt: momentColumn('signed_at').notNull().default(now),
  ip: text('ip'),
  userAgent: text('user_agent'),
  previousHash: bytesColumn('previous_hash'),
  hash: bytesColumn('hash').notNull(),
  rowSum: sumColumn(),
})

/** A person's last row is their current consent. */
export const consents = pgTable('consents', {
  id: bigint('id', { mode: 'number' }).generatedAlwaysAsIdentity().primaryKey(),
  personId: idColumn('person_id').notNull(),
  deed: text('deed').$type<'given' | 'withdrawn'>().notNull(),
  version: text('version').notNull(),
  at: momentColumn('at').notNull().default(now),
  sessionId: idColumn('session_id').notNull(),
  ip: text('ip'),
  userAgent: text('user_agent'),
  previousHash: bytesColumn('previous_hash'),
  hash: bytesColumn('hash').notNull(),
  rowSum: sumColumn(),
})

/** What a signer did with a sheet; evidence since migration 0085. */
export const signerActs = pgTable('signer_acts', {
  id: bigint('id', { mode: 'number' }).generatedAlwaysAsIdentity().primaryKey(),
  dealId: idColumn('deal_id').notNull(),
  personId: idColumn('person_id').notNull(),
  act: text('act').$type<'shown' | 'pdf' | 'signed'>().notNull(),
  sheetHash: bytesColumn('sheet_hash').notNull(),
  at: momentColumn('at').notNull().default(now),
  sessionId: idColumn('session_id').notNull(),
  /** Null for a session that began with a link from an email. */
  signedInAt: momentColumn('signed_in_at'),
  withPassword: boolean('with_password').notNull().default(false),
  signatureId: idColumn('signature_id'),
  rowSum: sumColumn(),
})

/** Signatures of people whose session had begun with a passkey. */
export const passkeySignatures = pgTable('passkey_signatures', {
  signatureId: idColumn('signature_id').primaryKey(),
  dealId: idColumn('deal_id').notNull(),
  rowSum: sumColumn(),
})

export const packages = pgTable('packages', {
  id: idColumn('id').primaryKey(),
  dealId: idColumn('deal_id').notNull(),
  contents: jsonColumn('contents').notNull(),
  createdAt: momentColumn('created_at').notNull().default(now),
  rowSum: sumColumn(),
})

export const agreementPdfs = pgTable('agreement_pdfs', {
  packageId: idColumn('package_id').notNull(),
  size: text('size').$type<PaperSize>().notNull(),
  /** Null: the object store has them, under the digest. */
  bytes: bytesColumn('bytes'),
  digest: bytesColumn('digest').notNull(),
  sealedWith: bytesColumn('sealed_with').notNull(),
  madeAt: momentColumn('made_at').notNull().default(now),
  rowSum: sumColumn(),
})

/** `hash`: of the token in the email of one side. */
export const agreementLinks = pgTable('agreement_links', {
  hash: bytesColumn('hash').primaryKey(),
  packageId: idColumn('package_id').notNull(),
  party: text('party').$type<Party>().notNull(),
  createdAt: momentColumn('created_at').notNull().default(now),
})

export const sealCertificates = pgTable('seal_certificates', {
  fingerprint: bytesColumn('fingerprint').primaryKey(),
  certificate: bytesColumn('certificate').notNull(),
  firstUsedAt: momentColumn('first_used_at').notNull().default(now),
  rowSum: sumColumn(),
})

export const logLeaves = pgTable('log_leaves', {
  place: bigint('place', { mode: 'number' }).primaryKey(),
  kind: text('kind').$type<LogKind>().notNull(),
  rowId: idColumn('row_id').notNull(),
  digest: bytesColumn('digest').notNull(),
  rowSum: sumColumn(),
})

/** The hash of the 2^level leaves from place * 2^level on, once all of them exist. */
export const logNodes = pgTable('log_nodes', {
  level: smallint('level').notNull(),
  place: bigint('place', { mode: 'number' }).notNull(),
  hash: bytesColumn('hash').notNull(),
  rowSum: sumColumn(),
})

export const logKeys = pgTable('log_keys', {
  id: text('id').primaryKey(),
  verifier: text('verifier').notNull(),
  firstUsedAt: momentColumn('first_used_at').notNull().default(now),
  rowSum: sumColumn(),
})

export const logHeads = pgTable('log_heads', {
  size: bigint('size', { mode: 'number' }).primaryKey(),
  root: bytesColumn('root').notNull(),
  at: momentColumn('at').notNull().default(now),
  keyId: text('key_id').notNull(),
  note: text('note').notNull(),
  rowSum: sumColumn(),
})

/** `witness`: its public key. `at`: the time that it signed. */
export const logCosignatures = pgTable('log_cosignatures', {
  size: bigint('size', { mode: 'number' }).notNull(),
  witness: text('witness').notNull(),
  line: text('line').notNull(),
  at: momentColumn('at').notNull(),
})

/**
 * Photos that the parties saw when they signed, each with the terms versions for which it was last
 * shown.
 */
export const dealPhotos = pgTable('deal_photos', {
  dealId: idColumn('deal_id').notNull(),
  pictureId: text('picture_id').notNull(),
  photo: jsonColumn('photo').$type<Photo>().notNull(),
  carTermsVersion: integer('car_terms_version').notNull(),
  dealTermsVersion: integer('deal_terms_version').notNull(),
})
