import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { consentIn, presentConsent, releasedConsents } from './consent.ts'

/** One line per version, added when it is released and never changed, because people have consented to that text. */
const released: Record<string, string> = {
  'consent-2026-11-1': '4e8f08b4467a470d5d7b16d9ae1334ff45c6df90c4bdf42111a888ad458ca8e3',
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

// R-deals-66
test('a released consent keeps every letter', () => {
  const digests = releasedConsents.map((text) => [text.version, sha256(JSON.stringify(text))])
  expect(Object.fromEntries(digests)).toEqual(released)
})

test('each folder of a consent is released under its own version, and people are shown the newest', () => {
  const folders = readdirSync(new URL('../frozen', import.meta.url)).filter((name) =>
    name.startsWith('consent-'),
  )
  const versions = releasedConsents.map(({ version }) => version)
  expect(versions.toSorted()).toEqual(folders.sort())
  expect(presentConsent.version).toBe(Object.keys(released).at(-1))
})

// R-deals-66
test('it says what the law asks for: scope, paper and its price, withdrawing, address, what is needed, that it can be read', () => {
  const all = presentConsent.sections.map(({ text }) => text).join('\n')
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
  expect(consentIn(true)).toBe(presentConsent.version)
  expect(consentIn('consent-2026-11-1')).toBe('consent-2026-11-1')
  for (const none of [undefined, false, '', 'constructor', '2026-11-1', 'consent-2000-1-1'])
    expect(consentIn(none)).toBeNull()
})
