import { type Cents, formatUsd, formatUsdExact } from '@keyturn/contract/shared/money.ts'
import classes from './money.module.css'

type MoneyProps = {
  cents: Cents | null | undefined
  unset?: string
  /** For computed amounts, where the cents matter: $600.00. */
  exact?: boolean
  size?: 'md' | 'lg' | 'xl'
}

export function Money({ cents, unset = '', exact, size }: MoneyProps) {
  if (cents == null) return <span className={classes.unset}>{unset}</span>
  return (
    <span className={classes.money} data-size={size}>
      {exact ? formatUsdExact(cents) : formatUsd(cents)}
    </span>
  )
}
