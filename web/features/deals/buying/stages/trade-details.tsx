import { buyingTexts as texts } from '@keyturn/contract/deals/buying-texts.ts'
import { wizardTexts } from '@keyturn/contract/deals/wizard-texts.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { Group } from '@mantine/core'
import { WorkButton } from '../../../../components/feedback/work-button.tsx'
import { TradeEntryDialogs } from '../../../trades/owner/trade-entry-dialogs.tsx'
import { TradeFields } from '../../../trades/owner/trade-form.tsx'
import { useTradeEntry } from '../../../trades/owner/use-trade-entry.ts'
import { ContinueWithoutTrade } from './continue-without-trade.tsx'
import { QuestionLayout } from './question-layout.tsx'
import type { StageProps } from './stage-props.ts'
import { UnavailableTrades } from './unavailable-trades.tsx'
import { useStageDraft } from './use-stage-draft.ts'

const stageTexts = wizardTexts.trade

/** Stage 2: sends a trade. Stage 3 waits for its approval. */
export function TradeDetails({ progress, moves }: StageProps) {
  const entry = useTradeEntry()
  useStageDraft(entry.form, 'trade', entry.step.name === 'added')
  const moveOn = () => moves.saveAndMove(3, { hasTrade: true })
  const leaveForm = () => {
    // Emptied first, so that the same car is not submitted again if the move fails.
    entry.startOver()
    return moveOn()
  }
  return (
    <>
      <QuestionLayout
        title={texts.tradeInput}
        lead={stageTexts.inputHint}
        onSubmit={entry.submit}
        primary={{ label: tradeTexts.input.submit }}
        moves={moves}
      >
        <UnavailableTrades progress={progress} moves={moves} />
        <TradeFields key={entry.round} form={entry.form} onPutBack={entry.putBack} />
        <Group gap="sm">
          <ContinueWithoutTrade moves={moves} />
        </Group>
      </QuestionLayout>
      <TradeEntryDialogs
        entry={entry}
        next={<WorkButton onClick={leaveForm}>{texts.continue}</WorkButton>}
        onDone={() => void leaveForm()}
      />
    </>
  )
}
