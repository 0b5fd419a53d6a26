import type { ReactNode } from 'react'
import classes from './fact-table.module.css'

export type Fact = { term: string; value: ReactNode; strong?: boolean }

/** Terms and what they are, in two columns. Facts without a value are left out. */
export function FactTable({ facts, label }: { facts: readonly Fact[]; label?: string }) {
  const known = facts.filter(({ value }) => value !== undefined && value !== null && value !== '')
  return (
    <dl className={classes.facts} aria-label={label} role={label ? 'group' : undefined}>
      {known.map(({ term, value, strong }) => (
        <div key={term} className={classes.fact} data-strong={strong}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
