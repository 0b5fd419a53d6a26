import type { ReactNode } from 'react'
import classes from './fact-table.module.css'

export type Fact = { term: string; value: ReactNode; strong?: boolean }

export const isKnownFact = ({ value }: Fact): boolean =>
  value !== undefined && value !== null && value !== false && value !== ''

/** Terms and their values in two columns. Facts without a value are omitted. */
export function FactTable({ facts, label }: { facts: readonly Fact[]; label?: string }) {
  const table = (
    <dl className={classes.facts}>
      {facts.filter(isKnownFact).map(({ term, value, strong }) => (
        <div key={term} className={classes.fact} data-strong={strong}>
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
