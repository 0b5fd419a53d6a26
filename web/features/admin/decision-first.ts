/** What waits for a decision comes before what is only on record; each in the order that it came in. */
export const decisionFirst = <Row>(rows: readonly Row[], waits: (row: Row) => boolean): Row[] => [
  ...rows.filter(waits),
  ...rows.filter((row) => !waits(row)),
]
