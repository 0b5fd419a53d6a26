import { carName } from '@keyturn/contract/cars/rules.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { wizardTexts } from '@keyturn/contract/deals/wizard-texts.ts'
import { cents, formatUsd } from '@keyturn/contract/shared/money.ts'
import type { Trade } from '@keyturn/contract/trades/endpoints.ts'
import { isOpenTrade } from '@keyturn/contract/trades/rules.ts'
import { Button, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMyId } from '../../../../auth/session.tsx'
import { Notice } from '../../../../components/feedback/notice.tsx'
import { WorkButton } from '../../../../components/feedback/work-button.tsx'
import { TradeDialog } from '../../../trades/owner/trade-dialog.tsx'
import { TradeUseNotice } from '../../../trades/owner/trade-use-notice.tsx'
import { tradesOfUserQuery } from '../../../trades/queries.ts'
import { LoanWarning } from '../../loan-warning.tsx'
import type { StageMoves } from './use-stage-moves.ts'

const texts = wizardTexts.trade

type UnavailableTradesProps = { progress: Progress; moves: StageMoves }

/**
 * The buyer's trades that this purchase cannot use yet: those with an offer to answer, those waiting
 * for wholesalers, and those in another purchase (R-trades-37).
 */
export function UnavailableTrades({ progress, moves }: UnavailableTradesProps) {
  const trades = useQuery(tradesOfUserQuery(useMyId()))
  // The car being bought is no trade for itself (R-trades-32).
  const others = trades.data?.filter(({ vin }) => vin !== progress.vin) ?? []
  const open = others.filter(({ status }) => isOpenTrade(status))
  const waiting = open.filter((trade) => !isOffered(trade))
  const used = others.filter(
    ({ usedFor }) => usedFor && usedFor.use !== 'SOLD' && usedFor.vin !== progress.vin,
  )
  // Stays in place when it has nothing to show, because a dialog that is open belongs to it.
  return (
    <Stack gap="sm" display={open.length + used.length === 0 ? 'none' : undefined}>
      {used.map((trade) => (
        <TradeUseNotice key={trade._id} trade={trade} />
      ))}
      <OfferNotices trades={trades.data} shown={(trade) => open.includes(trade) && isOffered(trade)} />
      {waiting.length > 0 && (
        <Notice kind="waiting">{texts.alreadyWaiting(waiting.map(nameWithCounter).join(', '))}</Notice>
      )}
      {open.length > 0 && progress.pendingTradeInApproval && (
        <Group>
          <WorkButton variant="default" onClick={() => moves.saveAndMove(3, { hasTrade: true })}>
            {texts.goOnWaiting(open.map(carName).join(texts.and))}
          </WorkButton>
        </Group>
      )}
    </Stack>
  )
}

const isOffered = ({ status }: Trade) => status === 'OFFERED'

const nameWithCounter = (trade: Trade): string =>
  trade.status === 'OFFER' && trade.price !== null
    ? texts.countered(carName(trade), formatUsd(trade.price))
    : carName(trade)

type OfferNoticesProps = { trades: readonly Trade[] | undefined; shown: (trade: Trade) => boolean }

/** Shows the offer on each of these trades, with a button to answer it. */
export function OfferNotices({ trades = [], shown }: OfferNoticesProps) {
  const [answering, setAnswering] = useState<Trade | null>(null)
  return (
    <>
      {trades.filter(shown).map((trade) => (
        <Notice
          key={trade._id}
          kind="info"
          action={
            <Button onClick={() => setAnswering(trade)} aria-label={`${texts.answer}: ${carName(trade)}`}>
              {texts.answer}
            </Button>
          }
        >
          {texts.offered(carName(trade), formatUsd(trade.price ?? cents(0)))}
        </Notice>
      ))}
      {answering && (
        <TradeDialog
          LoanWarning={LoanWarning}
          trade={answering}
          current={trades.find(({ _id }) => _id === answering._id)}
          onClose={() => setAnswering(null)}
        />
      )}
    </>
  )
}
