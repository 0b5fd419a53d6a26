import { carName } from '@keyturn/contract/cars/rules.ts'
import { deleteTrade, type Trade } from '@keyturn/contract/trades/calls.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useAct } from '../../decide/act.ts'
import { Behind } from '../../decide/behind.tsx'
import { useSeen } from '../../decide/seen.ts'
import { ConfirmDialog } from '../../ui/feedback/confirm-dialog.tsx'
import { announce } from '../../ui/feedback/notice.tsx'
import { Trouble } from '../../ui/feedback/trouble.tsx'
import { changesBetween, isSameState, whyBehind } from '../seen-trade.ts'

const texts = tradeTexts.dialog

type DeleteTradeProps = {
  /** As it was when it was opened. */
  trade: Trade
  /** As it is now; undefined once it is gone. */
  present: Trade | undefined
  onClose: () => void
}

/** By the VIN, as the call has it; the version says which state of it was meant. */
export function DeleteTradeDialog({ trade, present, onClose }: DeleteTradeProps) {
  const deleting = useAct(deleteTrade, {
    refresh: [['trades'], ['deals']],
    onDone: () => {
      announce(tradeTexts.events.delete)
      onClose()
    },
  })
  const { shown: seen = trade, isStale, isGone, catchUp } = useSeen(present, isSameState, deleting.mayBeDone)
  const showNow = () => {
    catchUp()
    deleting.reset()
  }
  return (
    <ConfirmDialog
      title={texts.deleteTitle}
      confirm={tradeTexts.dashboard.delete}
      working={tradeTexts.dashboard.deleting}
      cancel={texts.cancel}
      danger
      disabled={isStale}
      isOver={isGone}
      trouble={news()}
      onConfirm={() => deleting.attempt({ params: { vin: seen.vin }, query: { version: seen.version } })}
      onClose={onClose}
    >
      <Text>{texts.deleteQuestion}</Text>
      <Text fw={700}>{carName(seen)}</Text>
    </ConfirmDialog>
  )

  function news(): ReactNode {
    if (isGone) return <Trouble>{tradeTexts.changed.gone}</Trouble>
    if (isStale && present) {
      return (
        <Behind
          title={whyBehind(deleting.refusal)}
          changes={changesBetween(seen, present, 'owner')}
          goOn={tradeTexts.changed.show}
          onGoOn={showNow}
        />
      )
    }
    return deleting.refusal && <Trouble>{deleting.refusal.message}</Trouble>
  }
}
