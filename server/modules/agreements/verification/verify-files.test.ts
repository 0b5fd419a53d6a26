import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finalPackage, sealCertificates } from '@keyturn/contract/agreements/endpoints.ts'
import { evidenceLog, logConsistency } from '@keyturn/contract/agreements/evidence-log.ts'
import { verifyAgreement } from '@keyturn/contract/agreements/verification/endpoints.ts'
import type { Endpoint } from '@keyturn/contract/shared/endpoint.ts'
import { afterAll, expect, test } from 'vitest'
import type { Wire } from '../../../../tests/support/browser.ts'
import { aSignedDeal, sendPdf } from '../../../../tests/support/sales/signed-deals.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'
import { verifyFiles } from './verify-files.ts'

// All that is needed is saved first; then nobody is asked any more.

const folder = mkdtempSync(join(tmpdir(), 'keyturn-verify-'))
afterAll(() => rmSync(folder, { recursive: true }))

const house = await startTestServer()
const { buyer, pkgId } = await aSignedDeal(house)
await aSignedDeal(house)

function save(name: string, bytes: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}
const saveAnswer = async (name: string, call: Endpoint, input?: Wire) =>
  save(name, (await buyer.send(call, input)).body)

const pdf = save('agreement.pdf', (await sendPdf(house, buyer, pkgId)).rawPayload)
const json = await saveAnswer('package.json', finalPackage, { params: { pkgId } })
const log = await saveAnswer('log.json', evidenceLog)
const seal = await saveAnswer('seal.json', sealCertificates)
const standing = await saveAnswer('standing.json', verifyAgreement, { params: { agreement: pkgId } })
const growth = await saveAnswer('growth.json', logConsistency, { params: { size: '3' } })
const keys = ['--keys', log, '--keys', seal, '--keys', growth]

async function told(...given: string[]): Promise<{ code: number; lines: string[] }> {
  const lines: string[] = []
  const code = await verifyFiles(given, (line) => lines.push(line))
  return { code, lines }
}

// R-deals-71, R-deals-79
test('a signed PDF and its package as JSON are valid without the server that made them', async () => {
  const { code, lines } = await told(...keys, pdf)
  expect(lines.join('\n')).toMatch(/^agreement\.pdf: Valid\./)
  expect(code).toBe(0)
  const asJson = await told(...keys, '--keys', standing, json)
  expect(asJson.lines.join('\n')).toMatch(/^package\.json: Valid\./)
  expect(asJson.code).toBe(0)
})

// R-deals-79
test('without the published keys nothing is called valid, and it is said that they were not compared', async () => {
  const { code, lines } = await told(pdf)
  expect(code).toBe(2)
  expect(lines.join('\n')).toMatch(/Not proven.*The keys were not compared/s)
})

test('of several files the worst decides, and what is no agreement is named', async () => {
  const altered = save(
    'altered.json',
    JSON.stringify({ ...JSON.parse(readFileSync(json, 'utf8')), price: 1 }),
  )
  expect((await told(...keys, '--keys', standing, pdf, altered)).code).toBe(1)
  const { code, lines } = await told(...keys, pdf, save('letter.txt', 'Dear all'))
  expect(code).toBe(2)
  expect(lines.join('\n')).toContain('letter.txt: This is neither')
  expect((await told()).lines.join('\n')).toContain('npm run verify')
})
