import { isOwnTextVersion, type Terms, type TextVersion } from '../deals/terms.ts'
import { agreement20261101 } from '../frozen/agreement-2026-11-1/text.ts'
import { agreement20261102 } from '../frozen/agreement-2026-11-2/text.ts'
import { agreement20261103 } from '../frozen/agreement-2026-11-3/text.ts'
import { ownTerms1, ownTextVersion1 } from '../frozen/own-agreement-1/sheet.ts'
import { ownAgreement1 } from '../frozen/own-agreement-1/text.ts'
import { ownTerms2 } from '../frozen/own-agreement-2/sheet.ts'
import { ownAgreement2 } from '../frozen/own-agreement-2/text.ts'

export type Agreement = {
  title: string
  version: string
  /** Marks our texts as samples. */
  sample?: string
  facts: { label: string; value: string }[]
  /** Explains the figures above; present since text 2026-11-2. */
  payment?: { title: string; paragraphs: string[] }
  exclusivity: string
  /** Part of our texts; the operator's has numbered sections alone. */
  disclaimer?: { title: string; paragraphs: string[] }
  sections: { title: string; paragraphs: string[] }[]
}

/**
 * One released version: its sentences, and its disclosure about electronic signing, which later
 * moved to a text of its own (`consent.ts`).
 */
export type AgreementText = { write(terms: Terms): Agreement; disclosure?: readonly string[] }
export type AgreementTexts = Readonly<Record<string, AgreementText>>

/** Each of our texts that anybody may have signed. A released text never changes. */
export const releasedTexts: AgreementTexts & Record<TextVersion, AgreementText> = {
  '2026-11-1': agreement20261101,
  '2026-11-2': agreement20261102,
  '2026-11-3': agreement20261103,
}

const ownText: AgreementText = {
  write: (terms) =>
    ownTextVersion1.test(terms.textVersion)
      ? ownAgreement1.write(ownTerms1.parse(terms))
      : ownAgreement2.write(ownTerms2.parse(terms)),
}

/**
 * Renders the agreement as data in the terms' text version; the dialog, the package page and the
 * PDF all use it (R-deals-38).
 */
export const buildAgreement = (terms: Terms, texts: AgreementTexts = releasedTexts): Agreement =>
  textOf(terms.textVersion, texts).write(terms)

function textOf(version: string, texts: AgreementTexts): AgreementText {
  const text = isOwnTextVersion(version) ? ownText : texts[version]
  if (!text) throw new Error(`Unknown agreement text version ${version}`)
  return text
}
