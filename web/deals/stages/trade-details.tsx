import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { wizardTexts } from '@keyturn/contract/deals/wizard-texts.ts'
import { Group, Text } from '@mantine/core'
import { LinkButton } from '../../ui/link.tsx'
import { Question } from '../../ui/question.tsx'
import { SaveTrouble } from './save-trouble.tsx'
import type { StageProps } from './stage-props.ts'
import { WithoutTrade } from './without-trade.tsx'

const texts = dealTexts.buyer

/** Stage 2: the trade's form; who has sent it goes on to stage 3, where its approval is waited for. */
export function TradeDetails({ moves }: StageProps) {
  return (
    <Question
      title={texts.tradeInput}
      lead={wizardTexts.trade.inputHint}
      onSubmit={() => moves.go(3, { hasTrade: true })}
      primary={{ label: texts.continue, working: wizardTexts.saving }}
      onBack={moves.back}
      backLabel={texts.back}
      trouble={<SaveTrouble unsaved={moves.unsaved} />}
    >
      <TradeFormSlot />
      <Group gap="sm">
        <WithoutTrade moves={moves} />
      </Group>
    </Question>
  )
}

/** The form has its own page; here is where it goes once it can stand inside another one. */
const TradeFormSlot = () => (
  <>
    <Group>
      <LinkButton to="/trade/input">{wizardTexts.trade.inputLink}</LinkButton>
    </Group>
    <Text>{wizardTexts.trade.inputNext}</Text>
  </>
)
