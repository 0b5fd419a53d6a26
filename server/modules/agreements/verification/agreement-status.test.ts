import { readPackage } from '@keyturn/contract/agreements/endpoints.ts'
import { proveLogConsistency, readEvidenceLog } from '@keyturn/contract/agreements/evidence-log.ts'
import { verifyAgreement as statusEndpoint } from '@keyturn/contract/agreements/verification/endpoints.ts'
import type { Evidence } from '@keyturn/contract/agreements/verification/evidence.ts'
import { runChecks } from '@keyturn/contract/agreements/verification/run-checks.ts'
import { answerDeal } from '@keyturn/contract/dealers/dealer-api.ts'
import { deleteUser } from '@keyturn/contract/deals/endpoints.ts'
import { expect, test } from 'vitest'
import { createDealerClient, createDealerKey } from '../../../../tests/support/dealers/dealer-client.ts'
import { createLegalTexts } from '../../../../tests/support/legal-texts.ts'
import { aSaleAt, completeSale } from '../../../../tests/support/sales/deals.ts'
import { aSignedDeal } from '../../../../tests/support/sales/signed-deals.ts'
import { withField } from '../../../../tests/support/schema-fields.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'
import { readLegalTexts } from '../../../platform/startup/legal-texts.ts'
import { sha256 } from '../evidence-hashes.ts'
import { verificationTools } from './verification-tools.ts'

// A stranger without a session verifies a package, as JSON, using only public data.

const key = createDealerKey()
const server = await startTestServer({ DEALER_WEBHOOK_SECRET: key })
const dealer = createDealerClient(server.browser(), key)
const stranger = server.browser()

async function aReadableDeal() {
  const deal = await aSignedDeal(server)
  const params = { pkgId: deal.pkgId }
  // The body as it was sent, with prices in dollars.
  const read = async () => JSON.parse((await deal.buyer.send(readPackage, { params })).body)
  return { ...deal, read }
}

/** Collects the evidence that the verification page would collect. */
async function collectEvidence(contents: unknown, agreement: string): Promise<Evidence> {
  const status = await stranger.ask(statusEndpoint, { params: { agreement } })
  const { proven } = status
  const { keys } = await stranger.ask(readEvidenceLog)
  const growth = await stranger.ask(proveLogConsistency, { params: { size: String(proven?.head.size) } })
  return { contents, proven, seal: null, pictures: [], keys, certificates: null, growth, status }
}

const outcomeOf = async (contents: unknown, agreement: string) =>
  (await runChecks(await collectEvidence(contents, agreement), verificationTools)).outcome

// R-deals-78
test('stays valid for a stranger after later deals, a key change and completion', async () => {
  const { pkgId, read, seller, ...sale } = await aReadableDeal()
  const first = await read()
  expect(await outcomeOf(first, pkgId)).toBe('valid')
  const { checked } = await runChecks(await collectEvidence(first, pkgId), verificationTools)
  const notMade = checked.filter(({ verdict }) => verdict !== 'good').map(({ name }) => name)
  expect(notMade).toEqual([])

  await aSaleAt(server, 'passed')
  const { config } = server.deps
  const before = config.evidenceKey
  config.evidenceKey = 'another secret of at least 32 characters'
  await aSaleAt(server, 'sellerSigned')
  config.evidenceKey = before
  await completeSale(server, { ...sale, seller })
  for (const copy of [first, await read()]) expect(await outcomeOf(copy, pkgId)).toBe('valid')

  await seller.ask(deleteUser, { params: { userType: 'SELLER', id: seller.id } })
  expect(await outcomeOf(first, pkgId)).toBe('valid')
  const later = await read()
  expect(later.seller.email).toBe('')
  expect(await outcomeOf(later, pkgId)).toBe('unproven')
  // Contact data cannot be left out on other people's behalf, and nothing else can be changed with it.
  for (const change of [
    { ...later, price: later.price - 1 },
    { ...later, buyer: { ...later.buyer, email: '', phoneNumber: '' } },
  ])
    expect(await outcomeOf(change, pkgId)).toBe('altered')
})

// R-deals-106
test('is altered when the contact data was removed although both have an account', async () => {
  const { pkgId, read } = await aReadableDeal()
  const deal = await read()
  expect(await outcomeOf({ ...deal, buyer: { ...deal.buyer, email: '' } }, pkgId)).toBe('altered')
  for (const end of [
    { completed: true },
    { completed: true, completedAt: deal.createdAt },
    { calledOff: true },
  ])
    expect(await outcomeOf({ ...deal, ...end }, pkgId)).toBe('altered')
})

// R-everywhere-61, R-deals-78
test('verifies an agreement with the operator’s text, and rejects another text under its version', async () => {
  const { config } = server.deps
  config.legalTexts = readLegalTexts('LEGAL_TEXTS_FOLDER', createLegalTexts())
  const { pkgId, read } = await aReadableDeal()
  config.legalTexts = null
  const deal = await read()
  expect(deal.agreement.sheet).toContain('Maine’s law applies.')
  const evidence = await collectEvidence(deal, pkgId)
  expect((await runChecks(evidence, verificationTools)).outcome).toBe('valid')
  const sheet = deal.agreement.sheet.replaceAll('Maine', 'Ohio')
  const contents = { ...deal, agreement: { ...deal.agreement, sheet, hash: sha256(sheet).toString('hex') } }
  const { checked } = await runChecks({ ...evidence, contents }, verificationTools)
  expect(checked.filter(({ verdict }) => verdict === 'bad').map(({ name }) => name)).toEqual([
    'words',
    'package',
  ])
})

// R-deals-79
test('is not valid when a value was changed, removed or added', async () => {
  const { pkgId, read } = await aReadableDeal()
  const deal = await read()
  const evidence = await collectEvidence(deal, pkgId)
  // How the sale ended is not signed, and differs between packages read at different times.
  const paths = leavesIn(deal).filter((path) => !/^(completed|calledOff)/.test(path))
  expect(paths.length).toBeGreaterThan(40)
  for (const path of paths)
    for (const contents of [
      withField(deal, path, 'another'),
      withField(deal, path, undefined),
      withField(deal, `${path}Again`, 'more'),
    ]) {
      const { outcome } = await runChecks({ ...evidence, contents }, verificationTools)
      expect(`${path}: ${outcome}`).not.toMatch(/: valid$/)
    }
})

// R-deals-78
test('returns the same 404 for unknown and for malformed numbers', async () => {
  const { pkgId } = await aReadableDeal()
  const answers = new Set<string>()
  for (const agreement of [
    'a'.repeat(24),
    pkgId.toUpperCase(),
    'garbage',
    '%00',
    `${pkgId}0`,
    '☃',
    'x'.repeat(290),
  ]) {
    const sent = await stranger.send(statusEndpoint, { params: { agreement } })
    expect(`${agreement} ${sent.status}`).toBe(`${agreement} 404`)
    answers.add(sent.body.replace(/"requestId":"[^"]*"/, ''))
  }
  expect(answers.size).toBe(1)
})

// R-deals-78
test('publishes the state with digests and proofs, but without people or the car', async () => {
  const { pkgId, seller, buyer, car, read } = await aReadableDeal()
  const body = JSON.stringify(await stranger.ask(statusEndpoint, { params: { agreement: pkgId } }))
  const words = [seller.id, buyer.id, car.vin, car._id, 'Selma', 'Basil', '9000', 'Honda', '@', 'signedAt']
  for (const word of words) expect(body).not.toContain(word)
  expect(Object.keys(JSON.parse(body))).toEqual([
    'state',
    'digest',
    'proven',
    'number',
    'completedAt',
    'calledOff',
    'withoutContact',
    'cosigned',
  ])
  const report = { pkgId, step: 'cancelled', reason: 'The title has a lien that nobody knew of.' }
  expect((await dealer.send(answerDeal, { params: { pkgId }, body: report })).status).toBe(200)
  expect(await outcomeOf(await read(), pkgId)).toBe('voided')
})

function leavesIn(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([key, inner]) =>
    leavesIn(inner, path === '' ? key : `${path}.${key}`),
  )
}
