import { Readable } from 'node:stream'
import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import papa from 'papaparse'
import type { Db } from '../../../platform/database/open-database.ts'
import type { Cursor } from '../../../platform/database/pagination.ts'
import { findSoldCars, type SoldRow } from './sold-cars-repository.ts'

const texts = dealTexts.sold
const rowsPerQuery = 200

/**
 * Streams the list of sold cars as CSV with the columns of the screen (R-deals-69). Reads it page
 * by page, so that neither the whole list nor a connection is held. The first page is read before
 * the response begins: what fails after that can no longer be answered as an error.
 */
export const soldCarsCsv = async (db: Db): Promise<Readable> =>
  Readable.from(pagesOf(db, await findSoldCars(db, rowsPerQuery, null)))

async function* pagesOf(db: Db, first: SoldRow[]): AsyncGenerator<string> {
  let rows = first
  yield byteOrderMark + linesOf([Object.values(texts.columns)])
  while (rows.length > 0) {
    yield linesOf(rows.map(cellsOf))
    const last: Cursor | undefined = rows.at(-1)
    rows = rows.length < rowsPerQuery || !last ? [] : await findSoldCars(db, rowsPerQuery, last)
  }
}

/** Spreadsheets need it to recognize UTF-8. */
const byteOrderMark = '\uFEFF'

const linesOf = (lines: string[][]) =>
  `${papa.unparse(lines, { newline: '\r\n', escapeFormulae: looksLikeFormula })}\r\n`

/** A spreadsheet would evaluate these cells; some locales also evaluate fullwidth characters. */
const looksLikeFormula = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/

const cellsOf = (row: SoldRow): string[] => [
  fullName({ firstName: row.sellerFirstName, lastName: row.sellerLastName }),
  fullName({ firstName: row.buyerFirstName, lastName: row.buyerLastName }),
  row.vin,
  texts.car(row.make, row.model, row.year),
  row.tradeVins.join(', ') || texts.noTrades,
  row.status === 'COMPLETED' ? texts.completed : texts.pending,
]
