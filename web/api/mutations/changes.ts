export type Change = {
  label: string
  before: string
  after: string
  /** Explains a change that the old and the new value alone would not explain. */
  sentence?: string
}

/** Returns the differences between two lists of facts with the same labels. */
export const changesBetween = (
  before: readonly { label: string; value: string }[],
  after: readonly { label: string; value: string }[],
): Change[] =>
  before.flatMap(({ label, value }) => {
    const now = after.find((fact) => fact.label === label)?.value
    return now === undefined || now === value ? [] : [{ label, before: value, after: now }]
  })
