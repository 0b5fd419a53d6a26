export type Change = {
  label: string
  before: string
  after: string
  /** Where old and new alone would not say it. */
  said?: string
}

/** What differs between two lists of the same facts, as a person is told it. */
export const changesOf = (
  before: readonly { label: string; value: string }[],
  after: readonly { label: string; value: string }[],
): Change[] =>
  before.flatMap(({ label, value }) => {
    const now = after.find((fact) => fact.label === label)?.value
    return now === undefined || now === value ? [] : [{ label, before: value, after: now }]
  })
