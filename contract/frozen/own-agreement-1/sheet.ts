import { z } from 'zod'
import { terms20261102 } from '../agreement-2026-11-2/sheet.ts'

// What both sign under the operator's own text, as JSON. Released: never edited. A change is a new version (docs/how-to.md).

const section = z.object({ title: z.string(), paragraphs: z.array(z.string()) })

/** The operator's sentences. They are part of the terms, so that every signed sheet contains its own text. */
export const ownWords1 = z.object({
  title: z.string(),
  /** The paragraph about the 72 hours. */
  exclusivity: z.string(),
  sections: z.array(section),
})
export type OwnWords1 = z.output<typeof ownWords1>

/** A text and its version. */
export type OwnText1 = { textVersion: string; words: OwnWords1 }

/** Names a text by the SHA-256 of the canonical JSON (RFC 8785) of its words, in hexadecimal. */
export const nameOwnText1 = (digest: string): string => `own-${digest.slice(0, 16)}`
export const ownTextVersion1 = /^own-[0-9a-f]{16}$/
const version = z.string().regex(ownTextVersion1)

export const ownTerms1 = terms20261102.extend({ textVersion: version, words: ownWords1 })
export type OwnTerms1 = z.output<typeof ownTerms1>

const sheetWords = ownWords1.extend({
  version,
  facts: z.array(z.object({ label: z.string(), value: z.string() })),
})

/** Every fact and every sentence. A signature covers the SHA-256 of these bytes. */
export const ownSheet1 = z.object({ terms: ownTerms1, agreement: sheetWords })
