import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listSealCertificates, readPackage } from '@keyturn/contract/agreements/endpoints.ts'
import { proveLogConsistency, readEvidenceLog } from '@keyturn/contract/agreements/evidence-log.ts'
import { verifyAgreement } from '@keyturn/contract/agreements/verification/endpoints.ts'
import type { Endpoint } from '@keyturn/contract/shared/endpoint.ts'
import { afterAll, expect, test } from 'vitest'
import type { WireInput } from '../../../../tests/support/browser.ts'
import { aSignedDeal, requestPdf } from '../../../../tests/support/sales/signed-deals.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'
import { verifyFiles } from './verify-files.ts'

// Everything needed is saved first; verification makes no request.

const folder = mkdtempSync(join(tmpdir(), 'keyturn-verify-'))
afterAll(() => rmSync(folder, { recursive: true }))

const server = await startTestServer()
const { buyer, pkgId } = await aSignedDeal(server)
await aSignedDeal(server)

function save(name: string, bytes: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}
const saveAnswer = async (name: string, call: Endpoint, input?: WireInput) =>
  save(name, (await buyer.send(call, input)).body)

const pdf = save('agreement.pdf', (await requestPdf(server, buyer, pkgId)).rawPayload)
const json = await saveAnswer('package.json', readPackage, { params: { pkgId } })
const log = await saveAnswer('log.json', readEvidenceLog)
const seal = await saveAnswer('seal.json', listSealCertificates)
const standing = await saveAnswer('standing.json', verifyAgreement, { params: { agreement: pkgId } })
const growth = await saveAnswer('growth.json', proveLogConsistency, { params: { size: '3' } })
const keys = ['--keys', log, '--keys', seal, '--keys', growth]

async function verify(...given: string[]): Promise<{ code: number; lines: string[] }> {
  const lines: string[] = []
  const code = await verifyFiles(given, (line) => lines.push(line))
  return { code, lines }
}

// R-deals-71, R-deals-79
test('finds a signed PDF and its JSON package valid without a server', async () => {
  const { code, lines } = await verify(...keys, pdf)
  expect(lines.join('\n')).toMatch(/^agreement\.pdf: Valid\./)
  expect(code).toBe(0)
  const jsonResult = await verify(...keys, '--keys', standing, json)
  expect(jsonResult.lines.join('\n')).toMatch(/^package\.json: Valid\./)
  expect(jsonResult.code).toBe(0)
})

// R-deals-79
test('reports that keys were not compared and proves nothing without the published keys', async () => {
  const { code, lines } = await verify(pdf)
  expect(code).toBe(2)
  expect(lines.join('\n')).toMatch(/Not proven.*The keys were not compared/s)
})

test('exits with the worst result of several files and names a file that is not an agreement', async () => {
  const altered = save(
    'altered.json',
    JSON.stringify({ ...JSON.parse(readFileSync(json, 'utf8')), price: 1 }),
  )
  expect((await verify(...keys, '--keys', standing, pdf, altered)).code).toBe(1)
  const { code, lines } = await verify(...keys, pdf, save('letter.txt', 'Dear all'))
  expect(code).toBe(2)
  expect(lines.join('\n')).toContain('letter.txt: This is neither')
  expect((await verify()).lines.join('\n')).toContain('npm run verify')
})
