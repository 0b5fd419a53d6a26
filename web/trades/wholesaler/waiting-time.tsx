import { formatSpan } from '@keyturn/contract/kit/dates.ts'
import { offerPromiseMs } from '@keyturn/contract/trades/rules.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { IconAlertTriangle, IconHourglass } from '../../ui/icons.tsx'
import classes from './waiting-time.module.css'

const texts = tradeTexts.wholesaler

/** How long an owner has been waiting for an offer, compared with the promised three hours. */
export function WaitingTime({ since, now }: { since: string; now: number }) {
  const waited = Math.max(0, now - Date.parse(since))
  const isLate = waited > offerPromiseMs
  const Icon = isLate ? IconAlertTriangle : IconHourglass
  return (
    <div className={classes.waiting} data-late={isLate}>
      <p className={classes.span}>
        <Icon size={16} stroke={2} />
        {texts.waiting(formatSpan(waited))}
      </p>
      <div className={classes.track} aria-hidden>
        <div className={classes.part} style={{ inlineSize: `${percentOf(waited)}%` }} />
      </div>
      <p className={classes.promise}>{isLate ? texts.promiseMissed : texts.promise}</p>
    </div>
  )
}

const percentOf = (waited: number) => Math.min(100, Math.round((waited / offerPromiseMs) * 100))
