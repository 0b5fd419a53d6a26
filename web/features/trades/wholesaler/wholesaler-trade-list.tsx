import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { suspensionTexts } from '@keyturn/contract/accounts/suspension-texts.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { formatDateTime, formatDuration } from '@keyturn/contract/shared/dates.ts'
import { formatUsd, formatUsdExact } from '@keyturn/contract/shared/money.ts'
import type { Trade } from '@keyturn/contract/trades/endpoints.ts'
import { isFirstOfferDue, promisedOfferTimeMs, takesOffer } from '@keyturn/contract/trades/rules.ts'
import { addCredit } from '@keyturn/contract/trades/tax.ts'
import { tradeStatusLabels, tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { Anchor, Button } from '@mantine/core'
import { useInterval } from '@mantine/hooks'
import { type Ref, useState } from 'react'
import { PhoneLink } from '../../../components/display/phone-link.tsx'
import { PhotoStrip } from '../../../components/display/photo-strip.tsx'
import { StatusBadge } from '../../../components/display/status-badge.tsx'
import { IconAlertTriangle, IconHourglass } from '../../../components/icons.tsx'
import { type Fact, FactTable } from '../../../components/lists/fact-table.tsx'
import { CarLines } from './car-lines.tsx'
import { offerOrigin } from './offer-origin.ts'
import waitingClasses from './waiting-time.module.css'
import listClasses from './wholesaler-trade-list.module.css'
import classes from './wholesaler-trade-row.module.css'

const texts = tradeTexts.wholesaler

type WholesalerTradeRowProps = Record<'onOffer' | 'onHistory' | 'onWithdraw', () => void> & {
  trade: Trade
  now: number
}

/** A trade with all facts that a price depends on, as a row or, on a phone, a card. */
function WholesalerTradeRow({ trade, now, onOffer, onHistory, onWithdraw }: WholesalerTradeRowProps) {
  const name = carName(trade)
  const canOffer = takesOffer(trade)
  return (
    <li className={classes.row} data-row={trade._id} tabIndex={-1} aria-label={name}>
      <div className={classes.car}>
        <h2 className={classes.name}>{name}</h2>
        <CarLines trade={trade} />
      </div>
      <Owner trade={trade} />
      <div className={classes.state}>
        <StatusBadge status={trade.status} label={tradeStatusLabels[trade.status].wholesaler} />
        {trade.isPaused && (
          <>
            <StatusBadge status="PENDING" label={suspensionTexts.paused.row} />
            <p className={classes.quiet}>{suspensionTexts.paused.trade}</p>
          </>
        )}
        {canOffer && <WaitingTime since={trade.movedAt} isPromised={isFirstOfferDue(trade)} now={now} />}
        {trade.offerExpiresAt && (
          <p className={classes.quiet}>{texts.expires(formatDateTime(trade.offerExpiresAt))}</p>
        )}
        {trade.withdrawableUntil && (
          <p className={classes.quiet}>{texts.withdrawableUntil(formatDateTime(trade.withdrawableUntil))}</p>
        )}
        {trade.expiredOffer && (
          <p className={classes.quiet}>
            {texts[trade.expiredOffer.isWithdrawn ? 'withdrawn' : 'expired'](
              formatUsd(trade.expiredOffer.price),
              formatDateTime(trade.expiredOffer.at),
            )}
          </p>
        )}
      </div>
      <div className={classes.amounts}>
        <FactTable facts={amountsOf(trade)} />
      </div>
      <div className={classes.actions}>
        {canOffer && (
          <Button
            size="sm"
            variant="light"
            aria-label={texts.offerFor(name)}
            aria-keyshortcuts="o"
            onClick={onOffer}
          >
            {texts.submitOffer}
          </Button>
        )}
        {trade.withdrawableUntil && (
          <Button size="sm" variant="default" aria-label={texts.withdrawFor(name)} onClick={onWithdraw}>
            {texts.withdraw}
          </Button>
        )}
        <Button size="sm" variant="default" aria-label={texts.historyOf(name)} onClick={onHistory}>
          {texts.history}
        </Button>
      </div>
      {trade.message && <p className={classes.message}>{trade.message}</p>}
      {trade.photos.length > 0 && (
        <div className={classes.photos}>
          <PhotoStrip photos={trade.photos} name={name} />
        </div>
      )}
    </li>
  )
}

function Owner({ trade: { buyer } }: { trade: Trade }) {
  if (!buyer) return <div className={classes.owner} />
  return (
    <div className={classes.owner}>
      <p className={classes.person}>{fullName(buyer)}</p>
      {buyer.email ? (
        <>
          <Anchor href={`mailto:${buyer.email}`}>{buyer.email}</Anchor>
          {buyer.phoneNumber && <PhoneLink number={buyer.phoneNumber} />}
        </>
      ) : (
        <p className={classes.quiet}>{texts.contactHidden}</p>
      )}
    </div>
  )
}

/** Each amount with its author; a counter beside the offer that it answers (R-trades-35). */
function amountsOf(trade: Trade): Fact[] {
  const { status, price, salesTax, createdAt, counteredOffer } = trade
  const submitted = { term: texts.fields.submitted, value: formatDateTime(createdAt) }
  if (price === null || salesTax === null || status === 'PENDING') return [submitted]
  const isCounter = status === 'OFFER' || (status === 'REJECTED' && counteredOffer !== null)
  const by = offerOrigin(trade)
  return [
    {
      term: texts.amounts.OFFERED[by],
      value: isCounter && counteredOffer !== null && formatUsd(counteredOffer),
    },
    {
      term: isCounter ? texts.counters[status] : texts.amounts[status][by],
      value: formatUsd(price),
      strong: true,
    },
    { term: texts.fields.credit, value: formatUsdExact(salesTax) },
    { term: texts.fields.total, value: formatUsdExact(addCredit(price, salesTax)) },
    submitted,
  ]
}

type WaitingTimeProps = { since: string; isPromised: boolean; now: number }

/**
 * Shows how long an owner has been waiting for an offer; for the first one, compared with the
 * promised three hours (R-trades-7).
 */
function WaitingTime({ since, isPromised, now }: WaitingTimeProps) {
  const waited = Math.max(0, now - Date.parse(since))
  const isLate = isPromised && waited > promisedOfferTimeMs
  const Icon = isLate ? IconAlertTriangle : IconHourglass
  return (
    <div className={waitingClasses.waiting} data-late={isLate}>
      <p className={waitingClasses.span}>
        <Icon size={16} stroke={2} />
        {texts.waiting(formatDuration(waited))}
      </p>
      {isPromised && (
        <>
          <div className={waitingClasses.track} aria-hidden>
            <div className={waitingClasses.part} style={{ inlineSize: `${percentOf(waited)}%` }} />
          </div>
          <p className={waitingClasses.promise}>{isLate ? texts.promiseMissed : texts.promise}</p>
        </>
      )}
    </div>
  )
}

const percentOf = (waited: number) => Math.min(100, Math.round((waited / promisedOfferTimeMs) * 100))

type WholesalerTradeListProps = {
  ref: Ref<HTMLUListElement>
  trades: readonly Trade[]
  onOffer: (trade: Trade) => void
  onHistory: (trade: Trade) => void
  onWithdraw: (trade: Trade) => void
}

export function WholesalerTradeList({
  ref,
  trades,
  onOffer,
  onHistory,
  onWithdraw,
}: WholesalerTradeListProps) {
  const [now, setNow] = useState(Date.now)
  // Updates twice a minute, because times are shown in minutes.
  useInterval(() => setNow(Date.now()), 30_000, { autoInvoke: true })
  return (
    <ul ref={ref} className={listClasses.list} aria-label={tradeTexts.wholesaler.list}>
      {trades.map((trade) => (
        <WholesalerTradeRow
          key={trade._id}
          trade={trade}
          now={now}
          onOffer={() => onOffer(trade)}
          onHistory={() => onHistory(trade)}
          onWithdraw={() => onWithdraw(trade)}
        />
      ))}
    </ul>
  )
}
