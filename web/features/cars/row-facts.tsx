import type { Cents } from '@keyturn/contract/shared/money.ts'
import { Money } from '../../components/display/money.tsx'
import { StatusBadge, type StatusBadgeProps } from '../../components/display/status-badge.tsx'
import classes from './row-facts.module.css'

/** A car is shown as the one that is next up, as a row of a table, or as a line of a list. */
export type RowShape = 'nextUp' | 'row' | 'line'

type RowStatusProps = {
  shape: RowShape
  badge: StatusBadgeProps
  /** Explains the badge; empty where its label is enough. */
  note: string
  newMessages?: string
}

export const RowStatus = ({ shape, badge, note, newMessages }: RowStatusProps) => (
  <div className={classes.status} data-shape={shape}>
    <StatusBadge {...badge} />
    {note && <span className={classes.note}>{note}</span>}
    {newMessages && <span className={classes.messages}>{newMessages}</span>}
  </div>
)

export type NamedPrice = { cents: Cents | null; name: string }

type RowPricesProps = { shape: RowShape; prices: readonly NamedPrice[]; unset: string }

/** Emphasizes the first price, which is the current one, and says what each price is. */
export const RowPrices = ({ shape, prices, unset }: RowPricesProps) => (
  <div className={classes.prices} data-shape={shape}>
    {prices.map(({ cents, name }, place) => (
      <div key={name} className={place === 0 ? classes.price : classes.beside}>
        <Money cents={cents} unset={unset} size={shape === 'nextUp' && place === 0 ? 'lg' : undefined} />
        {cents !== null && <span className={classes.name}>{name}</span>}
      </div>
    ))}
  </div>
)
