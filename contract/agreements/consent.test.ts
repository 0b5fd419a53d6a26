import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { consentIn, currentConsent, releasedConsents } from './consent.ts'

test('each folder of a consent is released under its own version, and people are shown the newest', () => {
  const folders = readdirSync(new URL('../frozen', import.meta.url)).filter((name) =>
    name.startsWith('consent-'),
  )
  const versions = releasedConsents.map(({ version }) => version)
  expect(versions.toSorted()).toEqual(folders.sort())
  expect(currentConsent.version).toBe(versions.toSorted().at(-1))
})

// R-deals-66
test('it says what the law asks for: scope, paper and its price, withdrawing, address, what is needed, that it can be read', () => {
  const all = currentConsent.sections.map(({ text }) => text).join('\n')
  for (const said of [
    /Vehicle Sale Agreement of each car/,
    /on paper instead/,
    /A paper copy costs nothing/,
    /under Settings at any time/,
    /What you have signed by then stays valid/,
    /up to date under Profile/,
    /you need a device/,
    /you show that you can open it and read it/,
  ])
    expect(all).toMatch(said)
})

test('a consent names a released text, true the present one, and anything else none', () => {
  expect(consentIn(true)).toBe(currentConsent.version)
  expect(consentIn('consent-2026-11-1')).toBe('consent-2026-11-1')
  for (const none of [undefined, false, '', 'constructor', '2026-11-1', 'consent-2000-1-1'])
    expect(consentIn(none)).toBeNull()
})
