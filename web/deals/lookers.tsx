import { presenceTexts } from '@keyturn/contract/deals/presence/presence-texts.ts'
import classes from './lookers.module.css'
import { useLookers } from './use-lookers.ts'

/** Who else of the deal looks at it now; its line is there without anybody, too, so that nothing moves (R-deals-82). */
export function Lookers({ userId, vin }: { userId: string; vin: string }) {
  const names = useLookers(userId, vin)
  return (
    <span className={classes.lookers} role="status" data-there={names.length > 0 || undefined}>
      {names.length > 0 && presenceTexts.looking(names)}
    </span>
  )
}
