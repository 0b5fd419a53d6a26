import { carName } from '@keyturn/contract/cars/rules.ts'
import { cents, formatUsd } from '@keyturn/contract/shared/money.ts'
import { moveTrade, type Trade } from '@keyturn/contract/trades/endpoints.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { Text } from '@mantine/core'
import { DecisionChanges } from '../../../api/mutations/decision-changes.tsx'
import { useDecision } from '../../../api/mutations/use-decision.ts'
import { useEndpointMutation } from '../../../api/mutations/use-endpoint-mutation.ts'
import { ConfirmDialog } from '../../../components/feedback/confirm-dialog.tsx'
import { conflictReason, findChangesForWholesaler, isSameState } from '../trade-changes.ts'

const texts = tradeTexts.wholesaler

type WithdrawDialogProps = {
  trade: Trade
  /** Undefined once the trade is deleted. */
  current: Trade | undefined
  onClose: () => void
}

/** Withdraws the reader's own unanswered offer, for ten minutes (R-trades-34). */
export function WithdrawDialog({ trade, current, onClose }: WithdrawDialogProps) {
  const moving = useEndpointMutation(moveTrade, {
    refresh: [['trades']],
    success: tradeTexts.events.withdraw,
    onDone: onClose,
  })
  const decision = useDecision({ by: moving, current, newsOf: findChangesForWholesaler, isSame: isSameState })
  const { read = trade } = decision
  return (
    <ConfirmDialog
      title={texts.withdrawTitle}
      confirm={texts.withdraw}
      working={texts.withdrawing}
      cancel={texts.keepOffer}
      danger
      disabled={decision.isStale}
      isOver={decision.isGone || read.status !== 'OFFERED'}
      trouble={
        <DecisionChanges
          decision={decision}
          over={decision.isGone && tradeTexts.changed.gone}
          changed={conflictReason(decision.error)}
          goOn={tradeTexts.changed.show}
        />
      }
      onConfirm={() =>
        decision.attempt(({ _id, version }) => ({
          params: { tradeId: _id },
          body: { status: 'PENDING', version },
        }))
      }
      onClose={onClose}
    >
      <Text>
        {read.status === 'OFFERED'
          ? texts.withdrawQuestion(formatUsd(read.price ?? cents(0)), carName(read))
          : texts.alreadyAnswered}
      </Text>
    </ConfirmDialog>
  )
}
