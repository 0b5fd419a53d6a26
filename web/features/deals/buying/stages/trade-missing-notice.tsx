import { wizardTexts } from '@keyturn/contract/deals/wizard-texts.ts'
import { Group, Stack } from '@mantine/core'
import { Notice } from '../../../../components/feedback/notice.tsx'
import { WorkButton } from '../../../../components/feedback/work-button.tsx'
import { ContinueWithoutTrade } from './continue-without-trade.tsx'
import type { StageMoves } from './use-stage-moves.ts'

type TradeMissingNoticeProps = { moves: StageMoves; stage: 3 | 5; children: string }

export function TradeMissingNotice({ moves, stage, children }: TradeMissingNoticeProps) {
  return (
    <Stack gap="sm">
      <Notice kind="waiting">{children}</Notice>
      <Group gap="sm">
        <WorkButton variant="default" onClick={() => moves.moveBackTo(1)}>
          {wizardTexts.trade.choose}
        </WorkButton>
        <ContinueWithoutTrade moves={moves} stage={stage} />
      </Group>
    </Stack>
  )
}
