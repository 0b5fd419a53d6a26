import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { currentTextVersion, type Terms } from '../deals/terms.ts'
import { buildAgreement, releasedTexts } from './agreement.ts'
import { decodeSheet, encodeSheet } from './sheet.ts'

const golden = new URL(
  `../frozen/agreement-${currentTextVersion}/golden/sheet-with-trades.json`,
  import.meta.url,
)
const { terms } = decodeSheet(readFileSync(golden, 'utf8'))

test('uses the newest released text for new signatures', () => {
  expect(currentTextVersion).toBe(Object.keys(releasedTexts).sort().at(-1))
})

test('releases each text under the version that its folder names', () => {
  const folders = readdirSync(new URL('../frozen', import.meta.url))
  const files = folders.flatMap((name) => /^agreement-(.+)/.exec(name)?.[1] ?? [])
  expect(Object.keys(releasedTexts).sort()).toEqual(files.sort())
  for (const textVersion of files) expect(buildAgreement({ ...terms, textVersion }).version).toBe(textVersion)
})

test('writes a sheet in its terms’ text version even after a newer release', () => {
  const current = releasedTexts[currentTextVersion]
  if (!current) throw new Error('no current text')
  const newer = { ...current, write: (given: Terms) => ({ ...current.write(given), title: 'Another title' }) }
  const texts = { ...releasedTexts, '2099-1-1': newer }
  expect(buildAgreement(terms, texts)).toEqual(buildAgreement(terms))
  expect(buildAgreement({ ...terms, textVersion: '2099-1-1' }, texts).title).toBe('Another title')
})

test('throws when the terms name an unreleased text', () => {
  expect(() => encodeSheet({ ...terms, textVersion: '1999-1-1' })).toThrow(
    'Unknown agreement text version 1999-1-1',
  )
})

// R-deals-104
test('prints the date where the car is with its zone, and that of earlier texts in UTC', () => {
  const late = { ...terms, date: '2026-11-21T04:30:00.000Z', day: '2026-11-20', zone: 'Mountain Time' }
  expect(buildAgreement(late).facts[0]).toEqual({ label: 'Date', value: '11/20/2026 (Mountain Time)' })
  const earlier = { ...late, textVersion: '2026-11-2' }
  expect(buildAgreement(earlier).facts[0]).toEqual({ label: 'Date', value: '11/21/2026' })
})
