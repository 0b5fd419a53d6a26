import type { ComponentProps } from 'react'
import { ListTable } from './list-table.tsx'
import { PagedQueryContent, type PagedQueryContentProps } from './paged-query-content.tsx'

type PagedTableProps<Row extends { _id: string }> = Omit<PagedQueryContentProps<Row>, 'children'> &
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
    <PagedQueryContent {...list}>
      {(rows) => <ListTable label={label} rows={order(rows)} columns={columns} isYourTurn={isYourTurn} />}
    </PagedQueryContent>
  )
}
