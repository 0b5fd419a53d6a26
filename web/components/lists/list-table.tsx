import type { CSSProperties, MouseEvent, ReactNode } from 'react'
import dense from './dense-table.module.css'
import classes from './list-table.module.css'

export type Column<Row> = {
  /** Must be unique among the columns. */
  header: string
  cell: (row: Row) => ReactNode
  /** `title` names the row, `action` is its next step; numbers align by their digits. */
  kind?: 'picture' | 'title' | 'number' | 'status' | 'action'
  /** How many columns the cell spans. */
  span?: number
}

type ListTableProps<Row> = {
  label: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  isYourTurn?: (row: Row) => boolean
  /** A click anywhere in a row triggers its first action. */
  rowsOpen?: boolean
  /** On narrow screens, rows are 72 px high, and the first action of a row covers it. */
  isDense?: boolean
  /** The row of a dense table that is shown as a card above the column headers. It comes first. */
  next?: { row: Row; columns: readonly Column<Row>[] }
}

/**
 * A real table on wide screens. On narrow ones, each row is a card that begins with its picture and
 * title, unless the rows are dense.
 */
export function ListTable<Row extends { _id: string }>(table: ListTableProps<Row>) {
  const { label, rows, columns, isYourTurn, rowsOpen, isDense, next } = table
  const tracks = { '--list-tracks': `max-content repeat(${columns.length - 2}, auto) max-content` }
  return (
    <div className={isDense ? dense.frame : classes.frame}>
      <table
        className={`${classes.table} ${isDense ? dense.table : classes.cards}`}
        style={isDense ? (tracks as CSSProperties) : undefined}
        {...roles.table}
        aria-label={label}
      >
        <thead {...roles.rowgroup} data-alone={next && rows.length === 1}>
          <tr {...roles.row}>
            {columns.map(({ header, kind }) => (
              <th key={header} {...roles.columnheader} scope="col" data-kind={kind}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...roles.rowgroup}>
          {rows.map((row) => {
            const isNext = next?.row._id === row._id
            return (
              <tr
                key={row._id}
                {...roles.row}
                className={isNext ? dense.next : isDense ? dense.row : undefined}
                data-turn={!isNext && isYourTurn?.(row)}
                data-opens={rowsOpen}
                onClick={rowsOpen ? openClicked : undefined}
              >
                {(isNext ? next.columns : columns).map(({ header, cell, kind, span }) => {
                  const content = cell(row)
                  return (
                    <td
                      key={header}
                      {...roles.cell}
                      colSpan={span}
                      data-kind={kind}
                      data-bare={isNothing(content)}
                    >
                      {!isDense && (!kind || kind === 'number') ? (
                        <span className={classes.term} aria-hidden>
                          {header}
                        </span>
                      ) : null}
                      {kind === 'action' ? <div className={classes.actions}>{content}</div> : content}
                    </td>
                  )
                })}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function openClicked({ target, currentTarget }: MouseEvent<HTMLTableRowElement>) {
  if (!(target instanceof Element) || target.closest('a, button') || isSelecting()) return
  const first = currentTarget.querySelector<HTMLElement>('[data-kind="action"] :is(a, button)')
  // A dialog that closes returns the focus to this element.
  first?.focus({ preventScroll: true })
  first?.click()
}

/** Selecting text to copy must not open the row. */
const isSelecting = () => window.getSelection()?.isCollapsed === false

// Set explicitly, because some screen readers do not recognize a table that is laid out as blocks.
const roles = {
  table: { role: 'table' },
  rowgroup: { role: 'rowgroup' },
  row: { role: 'row' },
  columnheader: { role: 'columnheader' },
  cell: { role: 'cell' },
}

const isNothing = (content: ReactNode) => content === null || content === undefined || content === ''
