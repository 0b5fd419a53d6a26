import type { ComponentProps } from 'react'
import { ListTable } from './list-table.tsx'
import { LoadedPages, type LoadedPagesProps } from './loaded-pages.tsx'

type PagedTableProps<Row extends { _id: string }> = Omit<LoadedPagesProps<Row>, 'children'> &
  Omit<ComponentProps<typeof ListTable<Row>>, 'rows'> & {
    /** Sorts the rows loaded so far. Without it, they keep the server's order. */
    order?: (rows: readonly Row[]) => readonly Row[]
  }

export function PagedTable<Row extends { _id: string }>({
  label,
  columns,
  isYourTurn,
  order = (rows) => rows,
  ...list
}: PagedTableProps<Row>) {
  return (
    <LoadedPages {...list}>
      {(rows) => <ListTable label={label} rows={order(rows)} columns={columns} isYourTurn={isYourTurn} />}
    </LoadedPages>
  )
}
