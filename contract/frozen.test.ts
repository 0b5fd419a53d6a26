import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { buildAgreement } from './agreements/agreement.ts'
import { decodeSheet, encodeSheet } from './agreements/sheet.ts'
import { encodeTerms } from './deals/terms.ts'
import { sheet20261101 } from './frozen/agreement-2026-11-1/sheet.ts'
import { sheet20261102 } from './frozen/agreement-2026-11-2/sheet.ts'
import { sheet20261103 } from './frozen/agreement-2026-11-3/sheet.ts'
import { storedDealEvent1 } from './frozen/deal-events-1/deal-events.ts'
import { storedDealEvent2 } from './frozen/deal-events-2/deal-events.ts'
import { storedDealEvent3 } from './frozen/deal-events-3/deal-events.ts'
import { dealerEvent1 } from './frozen/dealer-events-1/dealer-events.ts'
import { dealerEvent2 } from './frozen/dealer-events-2/dealer-events.ts'
import { proven1 } from './frozen/log-1/evidence-log.ts'
import { ownSheet1 } from './frozen/own-agreement-1/sheet.ts'
import { ownSheet2 } from './frozen/own-agreement-2/sheet.ts'
import { storedPackage1 } from './frozen/package-1/stored-package.ts'
import { storedPackage2 } from './frozen/package-2/stored-package.ts'

// Signed and delivered documents must stay readable forever, byte for byte.

const folder = resolve(import.meta.dirname, 'frozen')
const read = (path: string): string => readFileSync(resolve(folder, path), 'utf8')
const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(folder, resolve(entry.parentPath, entry.name)))
  .sort()

/** Written once, by the release of each version. */
const documents: Record<string, z.ZodType> = {
  'agreement-2026-11-1/golden/sheet.json': sheet20261101,
  'agreement-2026-11-2/golden/sheet-with-trades.json': sheet20261102,
  'agreement-2026-11-2/golden/sheet-without-trades.json': sheet20261102,
  'agreement-2026-11-3/golden/sheet-with-loan.json': sheet20261103,
  'agreement-2026-11-3/golden/sheet-with-trades.json': sheet20261103,
  'agreement-2026-11-3/golden/sheet-without-trades.json': sheet20261103,
  'deal-events-1/golden/events.json': z.array(storedDealEvent1),
  'deal-events-2/golden/events.json': z.array(storedDealEvent2),
  'deal-events-3/golden/events.json': z.array(storedDealEvent3),
  'dealer-events-1/golden/deal.financing.json': dealerEvent1,
  'dealer-events-1/golden/deal.passed-with-trades.json': dealerEvent1,
  'dealer-events-1/golden/deal.passed-without-trades.json': dealerEvent1,
  'dealer-events-1/golden/test.json': dealerEvent1,
  'dealer-events-2/golden/deal.passed-with-trades.json': dealerEvent2,
  'dealer-events-2/golden/deal.passed-without-trades.json': dealerEvent2,
  'log-1/golden/proven.json': proven1,
  'own-agreement-1/golden/sheet.json': ownSheet1,
  'own-agreement-2/golden/sheet.json': ownSheet2,
  'package-1/golden/with-trades.json': storedPackage1,
  'package-1/golden/without-trades.json': storedPackage1,
  'package-2/golden/with-trades.json': storedPackage2,
  'package-2/golden/without-trades.json': storedPackage2,
}

// R-deals-89
test.each(Object.entries(documents))('decodes and encodes %s byte for byte', (path, schema) => {
  const text = read(path)
  expect(JSON.stringify(z.encode(schema, z.decode(schema, JSON.parse(text))))).toBe(text)
})

test('has a golden file for each kind of event and of webhook', () => {
  const kindsIn = (path: string, key: string) => [JSON.parse(read(path))].flat().map((one) => one[key])
  for (const [version, { options }] of [storedDealEvent1, storedDealEvent2, storedDealEvent3].entries()) {
    const events = kindsIn(`deal-events-${version + 1}/golden/events.json`, 'event')
    expect(new Set(events)).toEqual(new Set(options.map(({ shape }) => shape.event.value)))
  }
  const bodies = Object.keys(documents).filter((path) => path.startsWith('dealer-events-'))
  expect(new Set(bodies.flatMap((path) => kindsIn(path, 'type')))).toEqual(
    new Set(dealerEvent1.options.map(({ shape }) => shape.type.value)),
  )
})

// A receiver that knows version 1 alone reads its fields of a version 2 package.
test('accepts a package of version 2 by the schema of version 1', () => {
  for (const name of ['with-trades', 'without-trades'])
    expect(
      dealerEvent1.safeParse(JSON.parse(read(`dealer-events-2/golden/deal.passed-${name}.json`))).success,
    ).toBe(true)
})

const sheets = Object.keys(documents).filter((path) => path.includes('agreement-'))

// R-deals-39, R-deals-89
test.each(sheets)('writes the terms of %s into the same sheet again', (path) => {
  const text = read(path)
  const { terms, agreement } = decodeSheet(text)
  expect(buildAgreement(terms)).toEqual(agreement)
  expect(encodeSheet(terms)).toBe(text)
  expect(text.startsWith(`{"terms":${encodeTerms(terms)},`)).toBe(true)
})

test('imports only zod and frozen files into frozen files', () => {
  for (const path of files.filter((name) => name.endsWith('.ts')))
    for (const [, from = ''] of read(path).matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)) {
      const target = relative(folder, resolve(folder, dirname(path), from))
      expect(from === 'zod' || files.includes(target), `${path} imports ${from}`).toBe(true)
    }
})

// R-deals-89
test('finds every frozen file unchanged and with its digest', () => {
  const known = new Map(
    read('SHA256SUMS')
      .trimEnd()
      .split('\n')
      .map((line): [string, string] => [line.slice(66), line.slice(0, 64)]),
  )
  const present = files.filter((path) => path !== 'SHA256SUMS')
  const changed = [...known].flatMap(([path, digest]) =>
    present.includes(path) && digestOf(path) === digest ? [] : [path],
  )
  const added = present.filter((path) => !known.has(path)).map((path) => `${digestOf(path)}  ${path}`)
  expect(changed, 'Frozen files never change: restore them, and add a version (docs/how-to.md).').toEqual([])
  expect(added, 'Add these lines to contract/frozen/SHA256SUMS.').toEqual([])
})

const digestOf = (path: string): string => createHash('sha256').update(read(path)).digest('hex')
