import { z } from 'zod'
import { terms20261103 } from '../agreement-2026-11-3/sheet.ts'
import { ownSheet1, ownWords1 } from '../own-agreement-1/sheet.ts'

// What both sign under the operator's own text, as JSON. Released: never edited. A change is a new version (docs/how-to.md).

/** Names a text by the SHA-256 of the canonical JSON (RFC 8785) of its words, in hexadecimal. */
export const nameOwnText2 = (digest: string): string => `own2-${digest.slice(0, 16)}`
export const ownTextVersion2 = /^own2-[0-9a-f]{16}$/
const version = z.string().regex(ownTextVersion2)

export const ownTerms2 = terms20261103.extend({ textVersion: version, words: ownWords1 })
export type OwnTerms2 = z.output<typeof ownTerms2>

/** Every fact and every sentence. A signature covers the SHA-256 of these bytes. */
export const ownSheet2 = z.object({
  terms: ownTerms2,
  agreement: ownSheet1.shape.agreement.extend({ version }),
})
