import type { ReactNode } from 'react'
import classes from './fact-table.module.css'

export type Fact = {
  term: string
  value: ReactNode
  strong?: boolean
  /** Of a chip: two columns, or all. */
  width?: 'double' | 'full'
}

export const isKnownFact = ({ value }: Fact): boolean =>
  value !== undefined && value !== null && value !== false && value !== ''

type FactTableProps = {
  facts: readonly Fact[]
  label?: string
  /** For short values: on a wide screen each is a chip. */
  isChips?: boolean
}

/** Terms and their values in two columns. Facts without a value are omitted. */
export function FactTable({ facts, label, isChips = false }: FactTableProps) {
  const table = (
    <dl className={isChips ? `${classes.facts} ${classes.chips}` : classes.facts}>
      {facts.filter(isKnownFact).map(({ term, value, strong, width }) => (
        <div key={term} className={classes.fact} data-strong={strong} data-width={width}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
  if (!label) return table
  // A role on the list itself would hide from screen readers that it has terms and values.
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for what is filled in
    <div role="group" aria-label={label}>
      {table}
    </div>
  )
}
