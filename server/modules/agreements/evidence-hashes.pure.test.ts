import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { decodePackage } from './create-deal-package.ts'
import { packageHash, signatureHash } from './evidence-hashes.ts'

const golden = (path: string) =>
  JSON.parse(readFileSync(new URL(`../../../contract/frozen/${path}`, import.meta.url), 'utf8'))

// R-deals-40, R-deals-89
test('computes the same digests for the stored signatures of version 3', () => {
  const rows = golden('signature-3/golden/signatures.json')
  expect(rows).toHaveLength(2)
  for (const { previousHash, hash, ...row } of rows)
    expect(signatureHash(row, previousHash && Buffer.from(previousHash, 'hex')).toString('hex')).toBe(hash)
})

// R-deals-63, R-deals-89
test.each([
  [1, 'with-trades'],
  [1, 'without-trades'],
  [2, 'with-trades'],
  [2, 'without-trades'],
])('computes the logged digest of package %i %s', (version, name) => {
  const stored = golden(`package-${version}/golden/${name}.json`)
  const { data } = golden(`dealer-events-${version}/golden/deal.passed-${name}.json`)
  const digest = packageHash(stored).toString('hex')
  expect([digest, packageHash(data.deal).toString('hex')]).toEqual([data.log.digest, data.log.digest])
  expect(decodePackage(stored)._id).toBe(data.pkgId)
})
