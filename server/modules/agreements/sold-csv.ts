import { Readable } from 'node:stream'
import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import papa from 'papaparse'
import type { Db } from '../../platform/database/open.ts'
import type { Cursor } from '../../platform/database/page.ts'
import { findSoldCars, type SoldRow } from './signed-views.ts'

const texts = dealTexts.sold
const rowsAtOnce = 200

/**
 * The list of sold cars for a spreadsheet, with the columns of the screen and no others (R-deals-69). It is read page by
 * page while it is sent, however long it is: neither the whole list nor a connection is held meanwhile.
 */
export const soldCarsCsv = (db: Db): Readable => Readable.from(pagesOf(db))

async function* pagesOf(db: Db): AsyncGenerator<string> {
  let rows = await findSoldCars(db, rowsAtOnce, null)
  yield byteOrderMark + linesOf([Object.values(texts.columns)])
  while (rows.length > 0) {
    yield linesOf(rows.map(cellsOf))
    const last: Cursor | undefined = rows.at(-1)
    rows = rows.length < rowsAtOnce || !last ? [] : await findSoldCars(db, rowsAtOnce, last)
  }
}

/** Without it spreadsheets take UTF-8 for something else. */
const byteOrderMark = '\uFEFF'

const linesOf = (lines: string[][]) =>
  `${papa.unparse(lines, { newline: '\r\n', escapeFormulae: looksLikeFormula })}\r\n`

/** A spreadsheet would calculate such a cell, in some languages from wide characters too; it gets an apostrophe. */
const looksLikeFormula = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/

const cellsOf = (row: SoldRow): string[] => [
  fullName({ firstName: row.sellerFirstName, lastName: row.sellerLastName }),
  fullName({ firstName: row.buyerFirstName, lastName: row.buyerLastName }),
  row.vin,
  texts.car(row.make, row.model, row.year),
  row.tradeVins.join(', ') || texts.noTrades,
  row.status === 'COMPLETED' ? texts.completed : texts.pending,
]
