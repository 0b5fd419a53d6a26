import { type Cents, formatUsd, formatUsdExact } from '@keyturn/contract/shared/money.ts'
import classes from './money.module.css'
import { useHasChanged } from './use-has-changed.ts'

type MoneyProps = {
  cents: Cents | null | undefined
  unset?: string
  /** For computed amounts, where the cents matter: $600.00. */
  exact?: boolean
  size?: 'md' | 'lg' | 'xl'
}

/** An amount. If it changes while it is shown, it is marked for a moment. */
export function Money({ cents, unset = '', exact, size }: MoneyProps) {
  const hasChanged = useHasChanged(cents)
  if (cents == null) return <span className={classes.unset}>{unset}</span>
  return (
    // The key starts the mark anew with each change.
    <span key={cents} className={classes.money} data-size={size} data-changed={hasChanged || undefined}>
      {exact ? formatUsdExact(cents) : formatUsd(cents)}
    </span>
  )
}
