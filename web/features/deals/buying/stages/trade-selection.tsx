import { buyingTexts as texts } from '@keyturn/contract/deals/buying-texts.ts'
import { wizardTexts } from '@keyturn/contract/deals/wizard-texts.ts'
import { formatUsd } from '@keyturn/contract/shared/money.ts'
import type { AvailableTrade } from '@keyturn/contract/trades/endpoints.ts'
import { Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useUser } from '../../../../auth/session.tsx'
import { WorkButton } from '../../../../components/feedback/work-button.tsx'
import { QueryContent } from '../../../../components/lists/query-content.tsx'
import { LinkButton } from '../../../../components/navigation/link.tsx'
import { availableTradesQuery } from '../../../trades/queries.ts'
import { CheckboxCards } from '../../choice-cards.tsx'
import { ContinueWithoutTrade } from './continue-without-trade.tsx'
import { QuestionLayout } from './question-layout.tsx'
import type { StageProps } from './stage-props.ts'
import { UnavailableTrades } from './unavailable-trades.tsx'

/** Stage 1: chooses accepted trades. Continue appears once one is selected. */
export function TradeSelection({ progress, moves }: StageProps) {
  const user = useUser()
  const trades = useQuery(availableTradesQuery(user._id, progress.vin))
  const [chosen, setChosen] = useState<string[] | null>(null)
  const available = trades.data ?? []
  const newlyAccepted = useNewlyAccepted(trades.data)
  const checked = (chosen ?? initiallyChecked(progress, available, newlyAccepted)).filter((vin) =>
    available.some((trade) => trade.vin === vin),
  )
  // When there is no trade to select, adding one is the primary action.
  const variant = trades.data?.length === 0 ? 'filled' : 'default'
  return (
    <QuestionLayout
      title={texts.tradeSelection}
      lead={available.length > 0 ? wizardTexts.trade.selectionHint : undefined}
      onSubmit={() => moves.saveAndMove(3, { hasTrade: true, tradeVins: checked })}
      primary={checked.length > 0 ? { label: texts.continue, working: wizardTexts.saving } : undefined}
      moves={moves}
    >
      <QueryContent
        from={trades}
        failed={wizardTexts.trade.listFailed}
        empty={texts.noTrades}
        emptyPicture="trades"
        skeleton="cards"
        skeletonRows={2}
      >
        {(list) => (
          <CheckboxCards
            legend={texts.tradeSelection}
            values={checked}
            onChange={setChosen}
            options={list.map((trade) => ({
              value: trade.vin,
              title: `${trade.year} ${trade.make} ${trade.model}`,
              consequence: !trade.payoff
                ? formatUsd(trade.price)
                : `${formatUsd(trade.price)}. ${trade.payoffAmount === null ? wizardTexts.trade.owed : wizardTexts.trade.owedAmount(formatUsd(trade.payoffAmount))}`,
            }))}
          />
        )}
      </QueryContent>
      <UnavailableTrades progress={progress} moves={moves} />
      <Group gap="sm">
        {user.userType === 'SELLER' ? (
          <LinkButton
            to="/trade/input"
            search={{ userId: progress.sellerId, vin: progress.vin }}
            variant={variant}
          >
            {texts.addTrade}
          </LinkButton>
        ) : (
          <WorkButton variant={variant} onClick={() => moves.saveAndMove(2, { hasTrade: true })}>
            {texts.addTrade}
          </WorkButton>
        )}
        <ContinueWithoutTrade moves={moves} />
      </Group>
    </QuestionLayout>
  )
}

/**
 * Selects the trade whose offer was just accepted. For a buyer who returns from stage 3, that is
 * the first one (R-deals-12).
 */
function initiallyChecked(
  progress: StageProps['progress'],
  there: readonly AvailableTrade[],
  news: readonly string[],
): readonly string[] {
  if (progress.tradeVins.length > 0) return progress.tradeVins
  if (news.length > 0) return news
  return progress.buyerStep3 ? there.slice(0, 1).map(({ vin }) => vin) : []
}

/** Returns the trades whose offer was accepted while this list was on the screen. */
function useNewlyAccepted(trades: readonly AvailableTrade[] | undefined): readonly string[] {
  const [initial, setInitial] = useState<readonly string[] | null>(null)
  if (initial === null && trades) setInitial(trades.map(({ vin }) => vin))
  return (trades ?? []).map(({ vin }) => vin).filter((vin) => initial && !initial.includes(vin))
}
