import { carName } from '@keyturn/contract/cars/rules.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { wizardTexts } from '@keyturn/contract/deals/wizard-texts.ts'
import { isOpenTrade } from '@keyturn/contract/trades/rules.ts'
import { Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMyId } from '../../../../auth/session.tsx'
import { Notice } from '../../../../components/feedback/notice.tsx'
import { WorkButton } from '../../../../components/feedback/work-button.tsx'
import { tradesOfUserQuery } from '../../../trades/queries.ts'
import type { StageMoves } from './use-stage-moves.ts'

const texts = wizardTexts.trade

type WaitingTradesProps = { progress: Progress; moves: StageMoves }

/** Lets a buyer continue if their trade is already with the wholesalers. */
export function WaitingTrades({ progress, moves }: WaitingTradesProps) {
  const trades = useQuery(tradesOfUserQuery(useMyId()))
  // The car being bought cannot be traded in for itself (R-trades-32).
  const waiting = trades.data?.filter(({ status, vin }) => isOpenTrade(status) && vin !== progress.vin) ?? []
  if (waiting.length === 0) return null
  return (
    <Stack gap="sm">
      <Notice kind="waiting">{texts.alreadyWaiting(waiting.map(carName).join(', '))}</Notice>
      {progress.pendingTradeInApproval && (
        <Group>
          <WorkButton variant="default" onClick={() => moves.saveAndMove(3, { hasTrade: true })}>
            {texts.goOnWaiting}
          </WorkButton>
        </Group>
      )}
    </Stack>
  )
}
