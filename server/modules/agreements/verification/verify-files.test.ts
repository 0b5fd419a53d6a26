import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listSealCertificates, readPackage } from '@keyturn/contract/agreements/endpoints.ts'
import { proveLogConsistency, readEvidenceLog } from '@keyturn/contract/agreements/evidence-log.ts'
import { verifyAgreement } from '@keyturn/contract/agreements/verification/endpoints.ts'
import { verificationTexts } from '@keyturn/contract/agreements/verification/verification-texts.ts'
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
const another = await aSignedDeal(server)
const has = (program: string) => spawnSync(program, ['-v']).error === undefined

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

// R-deals-106
test('checks each of several files with its own saved status', async () => {
  const params = { agreement: another.pkgId }
  const anotherStatus = await saveAnswer('another-status.json', verifyAgreement, { params })
  const anotherPdf = save('another.pdf', (await requestPdf(server, another.buyer, another.pkgId)).rawPayload)
  const published = ['--keys', log, '--keys', seal, '--keys', standing, '--keys', anotherStatus]
  const { code, lines } = await verify(...published, pdf, anotherPdf, json)
  expect(lines.filter((line) => line.includes(verificationTexts.checks.number))).toEqual(
    Array(3).fill(expect.stringContaining('[ok]')),
  )
  expect(code).toBe(0)
})

const original = new Uint8Array(readFileSync(pdf))
const other = new Uint8Array((await requestPdf(server, another.buyer, another.pkgId)).rawPayload)
const foreign = new Uint8Array(readFileSync(join(import.meta.dirname, '../seal/golden/sealed-2026-11.pdf')))
const upTo = `Valid up to byte ${original.length.toLocaleString('en-US')}; something was added after it.`
const changed = Uint8Array.from(original)
changed[Buffer.from(original).indexOf('"price":') + 8] = 0x31

// R-deals-106
test.each<[string, readonly Uint8Array[], string, number]>([
  ['a line break after it', [original, Buffer.from('\n')], upTo, 2],
  ['another agreement after it', [original, other], upTo, 2],
  ['a changed copy of itself after it', [original, changed], upTo, 2],
  ['a changed part and the original after it', [changed, original], 'Altered.', 1],
  ['a file that somebody else sealed before it', [foreign, original], 'Altered.', 1],
  [
    'an unsealed file before it',
    [Buffer.from('%PDF-1.7\nxref\nstartxref\n9\n%%EOF\n'), original],
    'This PDF is not',
    2,
  ],
  ['its last byte missing', [original.subarray(0, -1)], 'This PDF is not', 2],
])('judges the sealed part of a file with %s', async (_, parts, words, exitCode) => {
  const { code, lines } = await verify(...keys, save('added.pdf', Buffer.concat(parts)))
  expect(lines.join('\n')).toContain(`added.pdf: ${words}`)
  expect(code).toBe(exitCode)
})

// R-deals-106
test.runIf(has('pdfsig') && has('certutil'))(
  'keeps its first seal when another party countersigns',
  async () => {
    const database = `sql:${mkdtempSync(join(folder, 'nss-'))}`
    const run = (program: string, ...options: string[]) => {
      const { status, stderr } = spawnSync(program, options, { encoding: 'utf8' })
      expect(status, stderr).toBe(0)
    }
    run('certutil', '-N', '-d', database, '--empty-password')
    const key = ['-k', 'rsa', '-g', '2048', '-z', save('noise', randomBytes(64))]
    run('certutil', '-S', '-x', '-d', database, '-n', 'Notary', '-s', 'CN=Notary', '-t', ',,', ...key)
    const signed = join(folder, 'countersigned.pdf')
    run('pdfsig', '-nssdir', database, '-add-signature', '-nick', 'Notary', pdf, signed)
    const { stdout } = spawnSync('pdfsig', ['-nssdir', database, signed], { encoding: 'utf8' })
    expect(stdout.match(/Signature is Valid/g)).toHaveLength(2)
    const { code, lines } = await verify(...keys, signed)
    expect(lines.join('\n')).toMatch(
      /^countersigned\.pdf: Valid up to byte .*\n.* bytes follow it: .* with another signature\. We checked neither\./,
    )
    expect(code).toBe(2)
  },
)

// R-deals-79
test('reports that keys were not compared and proves nothing without the published keys', async () => {
  const { code, lines } = await verify(pdf)
  expect(code).toBe(2)
  const text = lines.join('\n')
  expect(text).toMatch(/Not proven.*The keys were not compared/s)
  const { certificate, key, growth, number } = verificationTexts.checks
  expect(text).toContain(
    verificationTexts.notChecked([certificate, key, growth, number, verificationTexts.statusNotAsked]),
  )
  expect(text).toMatch(/^The seal is dated .* \(PAdES B-B\)\.$/m)
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
