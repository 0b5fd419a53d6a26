import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OwnText1 } from '@keyturn/contract/frozen/own-agreement-1/sheet.ts'
import { nameOwnText2 } from '@keyturn/contract/frozen/own-agreement-2/sheet.ts'
import type { LegalText } from '@keyturn/contract/shared/pages.ts'
import { hasVisibleCharacter, sanitizeLine } from '@keyturn/contract/shared/visible-text.ts'
import canonicalize from 'canonicalize'
import { findUndrawable } from '../../shared/text-layout.ts'
import { StartupError } from './startup-error.ts'

/** The operator's own texts. */
export type LegalTexts = { privacy: LegalText; terms: LegalText; agreement: OwnText1 }

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Each page and each deal's response contains its text. */
const maxCharacters = 100_000

/** Reads the three texts of a folder. Throws a `StartupError`. */
export function readLegalTexts(setting: string, folder: string): LegalTexts {
  const read = <T>(name: string, parse: (text: ParsedText) => T): T => {
    try {
      return parse(parseLegalText(utf8.decode(readFileSync(join(folder, name)))))
    } catch (error) {
      const reason = error instanceof Error && 'code' in error ? `cannot be read (${error.code})` : error
      throw new StartupError(
        `Setting ${setting} is invalid: must be a folder with privacy.txt, terms.txt and agreement.txt; ` +
          `${name} ${reason instanceof Error ? reason.message : reason}`,
      )
    }
  }
  return {
    privacy: read('privacy.txt', (text) => text),
    terms: read('terms.txt', (text) => text),
    agreement: read('agreement.txt', toOwnText),
  }
}

/** Keyturn enforces the hold, so both sides must sign a text that states it (R-deals-36). */
function toOwnText({ title, opening, sections }: ParsedText): OwnText1 {
  const [exclusivity = '', ...more] = opening
  if (more.length > 0 || !/\b72 hours\b/.test(exclusivity))
    throw new Error('needs exactly one paragraph before its first section, about the 72 hours')
  const words = { title, exclusivity, sections }
  const letters = [title, exclusivity, ...sections.flatMap((one) => [one.title, ...one.paragraphs])].join('')
  const missing = findUndrawable(letters)
  if (missing) throw new Error(`has ${formatCodePoint(missing)}, which the PDF cannot show`)
  const digest = createHash('sha256')
    .update(canonicalize(words) ?? '')
    .digest('hex')
  return { textVersion: nameOwnText2(digest), words }
}

/** Names a letter by its Unicode number, because a console may not show it either. */
const formatCodePoint = (letter: string) =>
  `U+${letter.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`

type ParsedText = { title: string; opening: string[]; sections: OwnText1['words']['sections'] }

/** `# ` begins the title, `## ` the title of a section; an empty line ends a paragraph. */
function parseLegalText(written: string): ParsedText {
  if (written.length > maxCharacters) throw new Error(`has more than ${maxCharacters} characters`)
  const blocks = written
    .split(/^(#{1,2} .*)$|\r?\n[ \t]*(?:\r?\n)+/m)
    .map((block) => sanitizeLine((block ?? '').normalize('NFC')))
    .filter(hasVisibleCharacter)
  const [title = '', ...others] = blocks
  const text: ParsedText = { title: title.slice(2), opening: [], sections: [] }
  for (const block of others) {
    const section = text.sections.at(-1)
    if (block.startsWith('## ')) text.sections.push({ title: block.slice(3), paragraphs: [] })
    else if (block.startsWith('#')) throw new Error(`has an unknown heading: ${block.slice(0, 40)}`)
    else (section?.paragraphs ?? text.opening).push(block)
  }
  if (!title.startsWith('# ')) throw new Error('must begin with "# " and its title')
  if (text.sections.length === 0 || text.sections.some(({ paragraphs }) => paragraphs.length === 0))
    throw new Error('needs sections, each with "## ", its title and a paragraph')
  return text
}
