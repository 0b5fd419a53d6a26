import { wizardTexts } from '@keyturn/contract/deals/wizard-texts.ts'
import { Group, Stack } from '@mantine/core'
import { Notice } from '../../../../components/feedback/notice.tsx'
import { WorkButton } from '../../../../components/feedback/work-button.tsx'
import type { Moves } from './use-moves.ts'
import { WithoutTrade } from './without-trade.tsx'

type TradeMissingProps = { moves: Moves; stage: 3 | 5; children: string }

export function TradeMissing({ moves, stage, children }: TradeMissingProps) {
  return (
    <Stack gap="sm">
      <Notice kind="waiting">{children}</Notice>
      <Group gap="sm">
        <WorkButton variant="default" onClick={() => moves.backTo(1)}>
          {wizardTexts.trade.choose}
        </WorkButton>
        <WithoutTrade moves={moves} stage={stage} />
      </Group>
    </Stack>
  )
}
