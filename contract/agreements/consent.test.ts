import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { currentConsent, parseConsentVersion, releasedConsents } from './consent.ts'

test('releases each consent text under the version that its folder names, and shows the newest', () => {
  const folders = readdirSync(new URL('../frozen', import.meta.url)).filter((name) =>
    name.startsWith('consent-'),
  )
  const versions = releasedConsents.map(({ version }) => version)
  expect(versions.toSorted()).toEqual(folders.sort())
  expect(currentConsent.version).toBe(versions.toSorted().at(-1))
})

// R-deals-66
test('covers what the law requires: scope, paper and its price, withdrawal, address, requirements, readability', () => {
  const all = currentConsent.sections.map(({ text }) => text).join('\n')
  for (const phrase of [
    /Vehicle Sale Agreement of each car/,
    /on paper instead/,
    /A paper copy costs nothing/,
    /under Settings at any time/,
    /What you have signed by then stays valid/,
    /up to date under Profile/,
    /you need a device/,
    /write to the postal address that stands with this text/,
    /you can open the same sheet as a PDF/,
    /you confirm that you can open such a file on this device, read it and keep it/,
  ])
    expect(all).toMatch(phrase)
})

test('accepts a released version, maps true to the current one, and rejects anything else', () => {
  expect(parseConsentVersion(true)).toBe(currentConsent.version)
  expect(parseConsentVersion('consent-2026-11-1')).toBe('consent-2026-11-1')
  for (const none of [undefined, false, '', 'constructor', '2026-11-1', 'consent-2000-1-1'])
    expect(parseConsentVersion(none)).toBeNull()
})
