import { carName } from '@keyturn/contract/cars/rules.ts'
import { buyingTexts as texts } from '@keyturn/contract/deals/buying-texts.ts'
import { wizardTexts } from '@keyturn/contract/deals/wizard-texts.ts'
import { isOpen } from '@keyturn/contract/trades/rules.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { TradeEntryDialogs } from '../../../trades/owner/trade-entry-dialogs.tsx'
import { TradeFields } from '../../../trades/owner/trade-form.tsx'
import { useTradeEntry } from '../../../trades/owner/use-trade-entry.ts'
import { tradesOfQuery } from '../../../trades/queries.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { WorkButton } from '../../../ui/feedback/work-button.tsx'
import { useMyId } from '../../../who/session.tsx'
import { Question } from './question.tsx'
import { SaveTrouble } from './save-trouble.tsx'
import type { StageProps } from './stage-props.ts'
import { WithoutTrade } from './without-trade.tsx'

const own = wizardTexts.trade

/** Stage 2: the trade's form; sending it leads to stage 3, which waits for its approval. */
export function TradeDetails({ moves }: StageProps) {
  const entry = useTradeEntry()
  const goOn = () => moves.go(3, { hasTrade: true })
  const leaveForm = () => {
    // Emptied first, so that the same car is not sent again if the move fails.
    entry.startAnew()
    return goOn()
  }
  return (
    <>
      <Question
        title={texts.tradeInput}
        lead={own.inputHint}
        onSubmit={entry.submit}
        primary={{ label: tradeTexts.input.submit }}
        onBack={moves.back}
        backLabel={texts.back}
        trouble={<SaveTrouble unsaved={moves.unsaved} />}
      >
        <WaitingTrades onGoOn={goOn} />
        <TradeFields key={entry.round} form={entry.form} />
        <Group gap="sm">
          <WithoutTrade moves={moves} />
        </Group>
      </Question>
      <TradeEntryDialogs
        entry={entry}
        next={<WorkButton onClick={leaveForm}>{texts.continue}</WorkButton>}
        onDone={() => void leaveForm()}
      />
    </>
  )
}

/** Lets a buyer with a trade already pending go on without sending another one. */
function WaitingTrades({ onGoOn }: { onGoOn: () => Promise<void> }) {
  const trades = useQuery(tradesOfQuery(useMyId()))
  const waiting = trades.data?.filter(({ status }) => isOpen(status)) ?? []
  if (waiting.length === 0) return null
  return (
    <Stack gap="sm">
      <Notice kind="waiting">{own.alreadyWaiting(waiting.map(carName).join(', '))}</Notice>
      <Group>
        <WorkButton variant="default" onClick={onGoOn}>
          {own.goOnWaiting}
        </WorkButton>
      </Group>
    </Stack>
  )
}
