import { useId } from 'react'
import classes from './filter-bar.module.css'

type FilterBarProps<V extends string> = {
  label: string
  value: V
  options: readonly { value: V; label: string; count?: number }[]
  onChange: (value: V) => void
}

/** A choice of filters, each with its number of rows. */
export function FilterBar<V extends string>({ label, value, options, onChange }: FilterBarProps<V>) {
  const name = useId()
  return (
    <fieldset className={classes.bar} aria-label={label}>
      {options.map((option) => (
        <label key={option.value} className={classes.option}>
          <input
            type="radio"
            name={name}
            className={classes.input}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
          {option.count !== undefined && <span className={classes.count}>{option.count}</span>}
        </label>
      ))}
    </fieldset>
  )
}
