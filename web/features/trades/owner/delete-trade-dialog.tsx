import { carName } from '@keyturn/contract/cars/rules.ts'
import type { ApiError } from '@keyturn/contract/shared/error.ts'
import { deleteTrade, type Trade } from '@keyturn/contract/trades/endpoints.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { DecisionChanges } from '../../../api/mutations/decision-changes.tsx'
import { useDecision } from '../../../api/mutations/use-decision.ts'
import { useEndpointMutation } from '../../../api/mutations/use-endpoint-mutation.ts'
import { ConfirmDialog } from '../../../components/feedback/confirm-dialog.tsx'
import { conflictReason, findChangesForOwner, isSameState } from '../trade-changes.ts'

const texts = tradeTexts.dialog

export type DeletedTrade = {
  /** The trade at the time when the dialog was opened. */
  trade: Trade
  /** Undefined once the trade has been deleted. */
  current: Trade | undefined
  onClose: () => void
}
type DeleteTradeProps = DeletedTrade & {
  /**
   * The consequences of deleting it. Undefined while they are loading; deleting is then disabled.
   */
  children: ReactNode | undefined
  failed: UseQueryResult<unknown, ApiError> | null
  /** The children say why it cannot be deleted. */
  isInPurchase: boolean
}

/** Deletes by VIN, as the endpoint requires; the version identifies the seen state. */
export function DeleteTradeDialog(props: DeleteTradeProps) {
  const { trade, current, onClose, children, failed, isInPurchase } = props
  const deleting = useEndpointMutation(deleteTrade, {
    refresh: [['trades'], ['deals']],
    success: tradeTexts.events.delete,
    onDone: onClose,
  })
  const decision = useDecision({ by: deleting, current, newsOf: findChangesForOwner, isSame: isSameState })
  const { read = trade } = decision
  return (
    <ConfirmDialog
      title={texts.deleteTitle}
      confirm={tradeTexts.dashboard.delete}
      working={tradeTexts.dashboard.deleting}
      cancel={texts.cancel}
      danger
      disabled={decision.isStale || children === undefined}
      isOver={decision.isGone || isInPurchase}
      trouble={
        <DecisionChanges
          decision={decision}
          over={decision.isGone && tradeTexts.changed.gone}
          failed={failed}
          changed={conflictReason(decision.error)}
          goOn={tradeTexts.changed.show}
        />
      }
      onConfirm={() => decision.attempt(({ vin, version }) => ({ params: { vin }, query: { version } }))}
      onClose={onClose}
    >
      {!isInPurchase && <Text>{texts.deleteQuestion}</Text>}
      <Text fw={700}>{carName(read)}</Text>
      {children}
    </ConfirmDialog>
  )
}
