import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { formatDateTime } from '@keyturn/contract/kit/dates.ts'
import { formatUsd, formatUsdExact } from '@keyturn/contract/kit/money.ts'
import type { Trade } from '@keyturn/contract/trades/calls.ts'
import { waitsForOffer } from '@keyturn/contract/trades/rules.ts'
import { totalWith } from '@keyturn/contract/trades/tax.ts'
import { tradeStatusLabels, tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { Anchor, Button } from '@mantine/core'
import { PhoneLink } from '../../ui/deal/phone-link.tsx'
import { PhotoStrip } from '../../ui/deal/photo-strip.tsx'
import { StatusBadge } from '../../ui/deal/status-badge.tsx'
import { type Fact, FactTable } from '../../ui/lists/fact-table.tsx'
import { CarLines } from './car-lines.tsx'
import classes from './request-row.module.css'
import { WaitingTime } from './waiting-time.tsx'

const texts = tradeTexts.wholesaler

type RequestRowProps = { trade: Trade; now: number; onOffer: () => void; onHistory: () => void }

/** One request with everything a wholesaler needs to name a price, as a dense row (a card on a phone). */
export function RequestRow({ trade, now, onOffer, onHistory }: RequestRowProps) {
  const name = carName(trade)
  const takesOffer = waitsForOffer(trade.status)
  return (
    <li className={classes.row} data-row={trade._id} tabIndex={-1} aria-label={name}>
      <div className={classes.car}>
        <h2 className={classes.name}>{name}</h2>
        <CarLines trade={trade} />
      </div>
      <Owner trade={trade} />
      <div className={classes.state}>
        <StatusBadge status={trade.status} label={tradeStatusLabels[trade.status].wholesaler} />
        {takesOffer && <WaitingTime since={trade.movedAt} now={now} />}
        {trade.offerExpiresAt && (
          <p className={classes.quiet}>{texts.expires(formatDateTime(trade.offerExpiresAt))}</p>
        )}
        {trade.expiredOffer && (
          <p className={classes.quiet}>
            {texts.expired(formatUsd(trade.expiredOffer.price), formatDateTime(trade.expiredOffer.at))}
          </p>
        )}
      </div>
      <div className={classes.amounts}>
        <FactTable facts={amountsOf(trade)} />
      </div>
      <div className={classes.actions}>
        {takesOffer && (
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

function amountsOf({ status, price, salesTax, createdAt }: Trade): Fact[] {
  const submitted = { term: texts.fields.submitted, value: formatDateTime(createdAt) }
  if (price === null || salesTax === null) return [submitted]
  return [
    { term: texts.amounts[status], value: formatUsd(price), strong: true },
    { term: texts.fields.credit, value: formatUsdExact(salesTax) },
    { term: texts.fields.total, value: formatUsdExact(totalWith(price, salesTax)) },
    submitted,
  ]
}
