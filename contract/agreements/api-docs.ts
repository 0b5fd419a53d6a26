import { logHead1 } from '../frozen/log-1/evidence-log.ts'
import { storedPackage1 } from '../frozen/package-1/stored-package.ts'
import { storedPackage2 } from '../frozen/package-2/stored-package.ts'
import type { ModuleDocs } from '../openapi/module-docs.ts'
import { dealPackage, signedAgreement } from './endpoints.ts'
import { logProof } from './evidence-log.ts'
import { verifyAgreement } from './verification/endpoints.ts'

export const agreementsApiDocs: ModuleDocs = {
  tag: { name: 'Agreements', description: 'What both have signed, its PDF, and the evidence for it.' },
  operations: {
    'GET /agreements': { summary: 'List your signed agreements', description: 'Newest first.' },
    'GET /progress/pkg/:pkgId/1': {
      summary: 'Read the package of a signed deal',
      description: 'What both have signed, with the state of the sale.',
    },
    'GET /progress/agreement/:pkgId': {
      summary: 'Read the signed agreement',
      description: 'The PDF: the same bytes each time. 503 AgreementBeingDrawn for a moment after signing.',
    },
    'GET /progress/paperwork/:pkgId/:kind': {
      summary: 'Read a draft of the dealer’s papers',
      description: 'A PDF to print and check, filled in from the signed agreement.',
    },
    'GET /agreements/:token': {
      summary: 'Read the signed agreement by its emailed link',
      description: 'Without an account.',
    },
    'GET /progress/draft/:dealId': {
      summary: 'Read what you are about to sign',
      description: 'A PDF, marked as a draft.',
    },
    'POST /progress/shown/:dealId': {
      summary: 'Report that you were shown the sheet',
      description: 'With the version of the deal and of its text.',
    },
    'GET /consent': 'Read your consent to sign electronically',
    'DELETE /consent': {
      summary: 'Withdraw your consent to sign electronically',
      description: 'What was signed stays valid.',
    },
    'GET /verify/:agreement': {
      summary: 'Verify an agreement by its number',
      description: 'Its status, and the proof that it is in the log. Names neither people nor cars.',
    },
    'GET /.well-known/keyturn-seal': {
      summary: 'List the certificates that seal agreements',
      description: 'Also those of retired keys, newest first.',
    },
    'GET /.well-known/keyturn-log': {
      summary: 'Read the head of the evidence log',
      description: 'With every key that ever signed a head.',
    },
    'GET /log/inclusion/:digest': 'Prove that a row is in the log',
    'GET /log/consistency/:size': 'Prove that the log has only grown',
    'GET /log/checkpoint': {
      summary: 'Read the head of the log as a checkpoint',
      description: 'As c2sp.org/tlog-checkpoint specifies.',
    },
    'GET /log/tile/:level/*': {
      summary: 'Read a tile of the log',
      description: 'Hashes or entries, as c2sp.org/tlog-tiles specifies.',
    },
  },
  schemas: {
    Package: { schema: dealPackage, description: 'What both have signed, with the state of the sale.' },
    StoredPackage2: {
      schema: storedPackage2,
      description: 'What both have signed, byte for byte the content of the log row.',
    },
    StoredPackage1: {
      schema: storedPackage1,
      description: 'The same for deals that were signed before version 2.',
    },
    SignedAgreement: {
      schema: signedAgreement,
      description: 'A signed agreement of yours.',
      fields: { car: 'The car, such as “2021 Honda Accord”.' },
    },
    AgreementStatus: {
      schema: verifyAgreement.response,
      description: 'What the log says about an agreement.',
    },
    LogHead: {
      schema: logHead1,
      description: 'A signed head of the evidence log.',
      fields: { size: 'The number of entries.' },
    },
    LogProof: { schema: logProof, description: 'A head, and the proofs that rows are in it.' },
  },
}
