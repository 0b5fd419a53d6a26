import { consent20261101 } from '../frozen/consent-2026-11-1/text.ts'
import { consent20261102 } from '../frozen/consent-2026-11-2/text.ts'

/** The disclosure to consent to before signing electronically (15 USC 7001(c), R-deals-66). */
export type ConsentText = {
  version: string
  title: string
  lead: string
  sections: readonly { title: string; text: string }[]
}

/** Every text that anybody may have consented to. A released text never changes. */
export const releasedConsents: readonly ConsentText[] = [consent20261101, consent20261102]

export const currentConsent: ConsentText = consent20261102

/** Returns a released text. Throws for a version that was never released. */
export function readConsentText(version: string): ConsentText {
  const text = findText(version)
  if (!text) throw new Error(`Unknown consent version ${version}`)
  return text
}

const findText = (version: unknown) => releasedConsents.find((text) => text.version === version)

/**
 * Returns the version of the disclosure that was shown; `true` means the current one. Null for a
 * version that was never released.
 */
export function parseConsentVersion(given: string | boolean | undefined): string | null {
  if (given === true) return currentConsent.version
  return findText(given)?.version ?? null
}
