import { escapeHtml } from '@keyturn/contract/shared/html.ts'
import { formatUsd } from '@keyturn/contract/shared/money.ts'
import { Amount, type DataReader, type DataRow, type DataSection, type DataValue } from './data-section.ts'

export type ReadableTexts = { title: string; lead: readonly string[]; empty: string }
export type ReadableTable = { title: string; rows: readonly DataRow[] }

/**
 * Streams the sections as one HTML document without scripts or references, which every browser
 * opens and prints. All values are escaped.
 */
export async function* readableFile(
  texts: ReadableTexts,
  first: ReadableTable,
  sections: readonly DataSection[],
  reader: DataReader,
  personId: string,
): AsyncGenerator<string> {
  const { title, lead } = texts
  yield `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title><style>${style}</style></head><body>
<h1>${escapeHtml(title)}</h1>
${lead.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n')}
`
  yield `<h2>${escapeHtml(first.title)}</h2>\n${table(Object.keys(first.rows[0] ?? {}))}`
  for (const row of first.rows) yield tableRow(row)
  yield '</tbody></table></div>\n'
  for (const section of sections) yield* sectionOf(section, texts, reader, personId)
  yield '</body></html>\n'
}

async function* sectionOf(
  { title, read }: DataSection,
  { empty }: ReadableTexts,
  reader: DataReader,
  personId: string,
): AsyncGenerator<string> {
  yield `<h2>${escapeHtml(title)}</h2>\n`
  let end: string | null = null
  let isTable = false
  for await (const row of read(reader, personId)) {
    if (end === null) {
      isTable = fitsTable(row)
      end = isTable ? '</tbody></table></div>\n' : ''
      if (isTable) yield table(Object.keys(row))
    }
    yield isTable ? tableRow(row) : card(row)
  }
  yield end ?? `<p>${escapeHtml(empty)}</p>\n`
}

/** A phone still shows as many columns. All rows of a section have the same names. */
const maxColumns = 5

const fitsTable = (row: DataRow): boolean => {
  const values = Object.values(row)
  return values.length <= maxColumns && !values.some(isNested)
}

const isNested = (value: DataValue): value is DataRow | readonly DataValue[] =>
  typeof value === 'object' && value !== null && !(value instanceof Date) && !(value instanceof Amount)

const table = (names: readonly string[]): string =>
  `<div class="wide"><table><thead><tr>${names.map((name) => `<th>${label(name)}</th>`).join('')}</tr></thead><tbody>\n`

const tableRow = (row: DataRow): string =>
  `<tr>${Object.values(row)
    .map((value) => `<td>${html(value)}</td>`)
    .join('')}</tr>\n`

/** Omits what is not set. */
const card = (row: DataRow): string =>
  `<dl>${Object.entries(row)
    .filter(([, value]) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => `<dt>${label(name)}</dt><dd>${html(value)}</dd>`)
    .join('')}</dl>\n`

function html(value: DataValue): string {
  if (value === null) return ''
  if (value instanceof Date) return escapeHtml(times.format(value))
  if (value instanceof Amount) return escapeHtml(formatUsd(value.cents))
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value)) return value.map((one) => `<div>${html(one)}</div>`).join('')
  if (isNested(value)) return card(value as DataRow)
  const text = escapeHtml(String(value))
  return /^https?:\/\/\S+$/.test(String(value)) ? `<a href="${text}">${text}</a>` : text
}

const times = new Intl.DateTimeFormat('en-US', {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZone: 'UTC',
})
export const formatUtc = (at: Date): string => times.format(at)

/** `signedInAt` becomes "Signed in at". */
const label = (name: string): string => {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/\bvin\b/, 'VIN')
  return escapeHtml(words.charAt(0).toUpperCase() + words.slice(1))
}

const style = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1c1c1c }
h1 { font-size: 1.6rem } h2 { font-size: 1.2rem; margin: 2.5rem 0 .5rem; border-bottom: 1px solid #bbb }
.wide { overflow-x: auto } table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid #ddd }
dl { margin: .8rem 0; padding: .6rem .8rem; border: 1px solid #ddd; border-radius: 6px; break-inside: avoid }
dt { color: #555; font-size: .85rem } dd { margin: 0 0 .4rem; white-space: pre-wrap; overflow-wrap: anywhere }
`
