import type { DealPackage } from '@keyturn/contract/agreements/endpoints.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { sql } from 'drizzle-orm'
import {
  carTitle,
  type DataSection,
  defineDataSection,
  toMoment,
} from '../../platform/personal-data/data-section.ts'

// Sections of the agreements module in a person's download. The sealed PDFs themselves are
// linked: they are files of their own, and sealed.

/** The deals of which a person is a party. */
const ofPerson = (personId: Parameters<Parameters<typeof defineDataSection>[0]['select']>[0]['personId']) =>
  sql`(deals.seller_id = ${personId} or deals.buyer_id = ${personId})`

type Agreement = {
  id: string
  car: Parameters<typeof carName>[0] & Pick<DealPackage['car'], 'vin'>
  created_at: string
  pdfs: string[]
}
const agreements = defineDataSection<Agreement>({
  name: 'agreements',
  title: 'Your signed agreements',
  tables: ['packages', 'agreement_pdfs'],
  select: ({ personId }) => sql`select packages.id, contents -> 'car' as car, packages.created_at,
    array(select size || ', SHA-256 ' || encode(digest, 'hex') from agreement_pdfs where package_id = packages.id
      order by size) as pdfs
    from deals join packages on packages.deal_id = deals.id where ${ofPerson(personId)}`,
  toRow: (row, { config }) => ({
    car: carName(row.car),
    vin: row.car.vin,
    signedAt: toMoment(row.created_at),
    sealedFiles: row.pdfs,
    link: new URL(`/progress/agreement/${row.id}`, config.publicUrl).href,
  }),
})

type Signature = {
  id: number
  party: string
  name: string
  signature: string
  signer_email: string
  year: number
  make: string
  model: string
  signed_at: string
  text_version: string
  consent_version: string | null
  terms_hash: string
  sheet_hash: string
  ip: string | null
  user_agent: string | null
  has_drawing: boolean
}
const signatures = defineDataSection<Signature>({
  name: 'signatures',
  title: 'Your signatures',
  tables: ['signatures'],
  select: ({ personId }) => sql`select signatures.number as id, party, name, signature, signer_email,
    year, make, model, signed_at, text_version, consent_version, encode(terms_hash, 'hex') as terms_hash,
    encode(sheet_hash, 'hex') as sheet_hash, ip, user_agent, drawing is not null as has_drawing
    from deals join signatures on signatures.deal_id = deals.id join cars on cars.id = deals.car_id
    where ${ofPerson(personId)} and signer_id = ${personId}`,
  toRow: (row) => ({
    car: carTitle(row),
    signedAs: row.party === 'SELLER' ? 'Seller' : 'Buyer',
    name: row.name,
    typedSignature: row.signature,
    drawnSignature: row.has_drawing,
    emailAddress: row.signer_email,
    signedAt: toMoment(row.signed_at),
    textOfTheAgreement: row.text_version,
    consent: row.consent_version,
    digestOfTheTerms: row.terms_hash,
    digestOfTheSheet: row.sheet_hash,
    networkAddress: row.ip,
    browser: row.user_agent,
  }),
})

type Act = { id: number; act: string; at: string; year: number; make: string; model: string }
const acts: Record<string, string> = {
  shown: 'The agreement was shown to you',
  pdf: 'You fetched it as a PDF',
  signed: 'You signed it',
}
const signerActs = defineDataSection<Act>({
  name: 'beforeSigning',
  title: 'What you were shown before signing',
  tables: ['signer_acts'],
  select: ({ personId }) => sql`select signer_acts.id as id, act, at, year, make, model
    from deals join signer_acts on signer_acts.deal_id = deals.id join cars on cars.id = deals.car_id
    where ${ofPerson(personId)} and person_id = ${personId}`,
  toRow: (row) => ({ car: carTitle(row), what: acts[row.act] ?? row.act, at: toMoment(row.at) }),
})

type ConsentRow = {
  id: number
  deed: string
  version: string
  at: string
  ip: string | null
  user_agent: string | null
}
const consents = defineDataSection<ConsentRow>({
  name: 'consents',
  title: 'Your consents to sign electronically',
  tables: ['consents'],
  select: ({ personId }) =>
    sql`select id, deed, version, at, ip, user_agent from consents where person_id = ${personId}`,
  toRow: (row) => ({
    what: row.deed === 'given' ? 'Consent given' : 'Consent withdrawn',
    textVersion: row.version,
    at: toMoment(row.at),
    networkAddress: row.ip,
    browser: row.user_agent,
  }),
})

export const agreementData: readonly DataSection[] = [agreements, signatures, signerActs, consents]
