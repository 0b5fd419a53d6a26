import { formatDateTime } from '@keyturn/contract/shared/dates.ts'
import { cents, formatUsd, formatUsdExact } from '@keyturn/contract/shared/money.ts'
import { explainCredit } from '@keyturn/contract/trades/credit-explanation.ts'
import type { Trade } from '@keyturn/contract/trades/endpoints.ts'
import { parseAmount, type TradeStatus } from '@keyturn/contract/trades/rules.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FC, type ReactNode, useEffect, useRef } from 'react'
import { Countdown } from '../../../components/display/countdown.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { WorkButton } from '../../../components/feedback/work-button.tsx'
import type { Fact } from '../../../components/lists/fact-table.tsx'
import { AmountField, amountBlockedReason } from '../amount-field.tsx'
import { CreditFacts } from '../credit-facts.tsx'
import type { OwnerAnswering } from './owner-moves.tsx'
import classes from './trade-bodies.module.css'
import { TradeUseNotice } from './trade-use-notice.tsx'

const texts = tradeTexts.dialog

type BodyProps = OwnerAnswering & {
  isWorking: boolean
  /** False once somebody else has moved the trade; nothing more can then be entered. */
  mayDecide: boolean
  purchases: ReactNode
}

export const tradeBodies: Record<TradeStatus, FC<BodyProps>> = {
  PENDING: ({ trade: { expiredOffer } }) => (
    <>
      {expiredOffer && (
        <Notice kind="info">
          {texts[expiredOffer.isWithdrawn ? 'withdrawn' : 'expired'](
            formatUsd(expiredOffer.price),
            formatDateTime(expiredOffer.at),
          )}
        </Notice>
      )}
      <Text>{texts.pending}</Text>
    </>
  ),
  OFFERED: Offered,
  OFFER: ({ trade, answer, mayDecide }) => (
    <>
      <Text>{texts.countered}</Text>
      <Credit
        trade={trade}
        priceLabel={texts.atYourCounter}
        before={
          trade.counteredOffer === null
            ? undefined
            : { term: texts.theirOffer, value: formatUsd(trade.counteredOffer) }
        }
      >
        {mayDecide && answer.asking === 'forfeit' && <AskedOnce>{texts.forfeitQuestion}</AskedOnce>}
      </Credit>
    </>
  ),
  ACCEPTED: ({ trade, purchases }) => (
    <>
      <Text>{texts.accepted}</Text>
      <Credit trade={trade}>{trade.usedFor ? <TradeUseNotice trade={trade} /> : purchases}</Credit>
    </>
  ),
  REJECTED: ({ trade }) => {
    const { price, counteredOffer } = trade
    return (
      <>
        <Text>{wasForfeited(trade) ? texts.forfeited : texts.rejected}</Text>
        <Credit trade={{ ...trade, price: counteredOffer ?? price }} priceLabel={texts.theirOffer} />
        {counteredOffer !== null && price !== null && <Text>{texts.gaveUp(formatUsd(price))}</Text>}
      </>
    )
  },
}

/** Whether the request ended because the owner gave up the counter offer. */
export const wasForfeited = ({ status, counteredOffer }: Trade): boolean =>
  status === 'REJECTED' && counteredOffer !== null

type CreditProps = { trade: Trade; priceLabel?: string; before?: Fact; children?: ReactNode }

function Credit({ trade, children, ...labels }: CreditProps) {
  if (trade.price === null) return children
  return (
    <CreditFacts price={trade.price} trade={trade} {...labels}>
      {children}
    </CreditFacts>
  )
}

function Offered(props: BodyProps) {
  const { trade, answer, mayDecide } = props
  const client = useQueryClient()
  return (
    <Credit trade={trade}>
      {trade.offerExpiresAt && (
        <Countdown
          until={trade.offerExpiresAt}
          label={texts.stands}
          over={texts.offerOver}
          onOver={() => void client.invalidateQueries({ queryKey: ['trades'] })}
        />
      )}
      {mayDecide && answer.asking === 'reject' && <AskedOnce>{texts.rejectQuestion}</AskedOnce>}
      {mayDecide && answer.counter !== null && <Counter {...props} counter={answer.counter} />}
    </Credit>
  )
}

/** Takes the focus, because two answers have replaced the button that had it. */
function AskedOnce({ children }: { children: string }) {
  const question = useRef<HTMLParagraphElement>(null)
  useEffect(() => question.current?.focus(), [])
  return (
    <Text ref={question} tabIndex={-1} className={classes.question} fw={700}>
      {children}
    </Text>
  )
}

function Counter({ trade, counter, onAnswer, onWish, isWorking }: BodyProps & { counter: string }) {
  const amount = parseAmount(counter)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  const { credit, total } = explainCredit(amount ?? trade.price ?? cents(0), trade.zipCode, trade.taxRate)
  return (
    <form
      ref={form}
      noValidate
      className={classes.counter}
      onSubmit={(event) => {
        event.preventDefault()
        if (amount !== null) void onWish({ status: 'OFFER', price: amount })
      }}
    >
      <AmountField
        label={texts.counterLabel}
        description={tradeTexts.wholesaler.offerHint}
        value={counter}
        onChange={(text) => onAnswer({ counter: text, asking: null })}
      />
      <WorkButton
        type="submit"
        blockedBecause={amountBlockedReason(counter)}
        busy={isWorking}
        working={texts.countering}
      >
        {texts.counter}
      </WorkButton>
      <Text c="dimmed" fz="sm" className={classes.preview} aria-live="polite">
        {amount !== null && texts.atAmount(formatUsdExact(credit), formatUsdExact(total))}
      </Text>
    </form>
  )
}
