/** Sorts rows that need a decision before the others, each group in its given order. */
export const decisionFirst = <Row>(rows: readonly Row[], waits: (row: Row) => boolean): Row[] => [
  ...rows.filter(waits),
  ...rows.filter((row) => !waits(row)),
]
