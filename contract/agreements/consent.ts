import { consent20261101 } from '../frozen/consent-2026-11-1/text.ts'

/** The disclosure to consent to before signing electronically (15 USC 7001(c), R-deals-66). */
export type ConsentText = {
  version: string
  title: string
  lead: string
  sections: readonly { title: string; text: string }[]
}

/** Every text that anybody may have consented to. A released text never changes. */
export const releasedConsents: readonly ConsentText[] = [consent20261101]

export const currentConsent: ConsentText = consent20261101

/**
 * Returns the version of the disclosure that was shown; `true` means the current one. Null for a
 * version that was never released.
 */
export function parseConsentVersion(given: string | boolean | undefined): string | null {
  if (given === true) return currentConsent.version
  return releasedConsents.find(({ version }) => version === given)?.version ?? null
}
