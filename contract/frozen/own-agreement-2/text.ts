import { agreement20261103 } from '../agreement-2026-11-3/text.ts'
import type { OwnTerms2 } from './sheet.ts'

// Released, and people may have signed it: never edited. A change is a new version (docs/how-to.md).

/** The operator's sentences, with the facts of text 2026-11-3. */
function write({ words, ...terms }: OwnTerms2) {
  const { facts } = agreement20261103.write({ ...terms, textVersion: '2026-11-3' })
  return { ...words, version: terms.textVersion, facts }
}

export const ownAgreement2 = { write }
