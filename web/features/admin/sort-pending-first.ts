/** Sorts rows that need a decision before the others, and otherwise keeps the given order. */
export const sortPendingFirst = <Row>(rows: readonly Row[], isPending: (row: Row) => boolean): Row[] => [
  ...rows.filter(isPending),
  ...rows.filter((row) => !isPending(row)),
]
