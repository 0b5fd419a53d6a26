import type { MouseEvent, ReactNode } from 'react'
import classes from './list-table.module.css'

export type Column<Row> = {
  /** Must be unique among the columns. */
  header: string
  cell: (row: Row) => ReactNode
  /** `title` names the row, `action` is its next step; numbers align by their digits. */
  kind?: 'picture' | 'title' | 'number' | 'action'
}

type ListTableProps<Row> = {
  label: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  isYourTurn?: (row: Row) => boolean
  /** A click anywhere in a row triggers its first action. */
  rowsOpen?: boolean
}

/**
 * A real table on wide screens. On narrow ones, each row is a card that begins with its picture and
 * title.
 */
export function ListTable<Row extends { _id: string }>(table: ListTableProps<Row>) {
  const { label, rows, columns, isYourTurn, rowsOpen } = table
  return (
    <div className={classes.frame}>
      <table className={classes.table} {...roles.table} aria-label={label}>
        <thead {...roles.rowgroup}>
          <tr {...roles.row}>
            {columns.map(({ header, kind }) => (
              <th key={header} {...roles.columnheader} scope="col" data-kind={kind}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...roles.rowgroup}>
          {rows.map((row) => (
            <tr
              key={row._id}
              {...roles.row}
              data-turn={isYourTurn?.(row)}
              data-opens={rowsOpen}
              onClick={rowsOpen ? openClicked : undefined}
            >
              {columns.map(({ header, cell, kind }) => {
                const content = cell(row)
                return (
                  <td key={header} {...roles.cell} data-kind={kind} data-bare={isNothing(content)}>
                    {!kind || kind === 'number' ? (
                      <span className={classes.term} aria-hidden>
                        {header}
                      </span>
                    ) : null}
                    {kind === 'action' ? <div className={classes.actions}>{content}</div> : content}
                  </td>
                )
              })}
            </tr>
          ))}
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
