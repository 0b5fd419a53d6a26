import { z } from 'zod'
import { consent20261101 } from '../frozen/consent-2026-11-1/text.ts'
import { defineEndpoint } from '../shared/endpoint.ts'
import { isoTime } from '../shared/fields.ts'

/**
 * The disclosure that a person consents to before signing electronically (15 USC 7001(c),
 * R-deals-66).
 */
export type ConsentText = {
  version: string
  title: string
  lead: string
  sections: readonly { title: string; text: string }[]
}

/** Every text that anybody may have consented to. A released text never changes. */
export const releasedConsents: readonly ConsentText[] = [consent20261101]

/** The text for new consents. */
export const currentConsent: ConsentText = consent20261101

/**
 * Returns the version of the disclosure that a signature says was shown; null for one that was
 * never released.
 */
export function consentIn(given: string | boolean | undefined): string | null {
  if (given === true) return currentConsent.version
  return releasedConsents.find(({ version }) => version === given)?.version ?? null
}

/** Null: never given. `withdrawnAt` is null while the consent is active. */
const consent = z
  .object({ version: z.string(), givenAt: isoTime, withdrawnAt: isoTime.nullable() })
  .nullable()
export type Consent = z.output<typeof consent>

export const ownConsent = defineEndpoint('GET /consent', {
  callers: ['trader'],
  response: z.object({ consent }),
  summary: "The caller's own consent to sign electronically",
})

export const withdrawConsent = defineEndpoint('DELETE /consent', {
  callers: ['trader'],
  response: z.object({ consent }),
  summary: 'Withdraws the consent to sign electronically; what was signed stays valid',
})
