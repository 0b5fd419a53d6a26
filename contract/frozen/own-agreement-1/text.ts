import { agreement20261102 } from '../agreement-2026-11-2/text.ts'
import type { OwnTerms1 } from './sheet.ts'

// Released, and people may have signed it: never edited. A change is a new version (docs/how-to.md).

/** The operator's sentences, with the facts of text 2026-11-2. */
function write({ words, ...terms }: OwnTerms1) {
  const { facts } = agreement20261102.write({ ...terms, textVersion: '2026-11-2' })
  return { ...words, version: terms.textVersion, facts }
}

export const ownAgreement1 = { write }
