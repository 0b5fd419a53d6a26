import { carName } from '@keyturn/contract/cars/rules.ts'
import { Refusal } from '@keyturn/contract/kit/refusal.ts'
import { deleteTrade, type Trade } from '@keyturn/contract/trades/calls.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { Text } from '@mantine/core'
import { useAct } from '../act.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { announce } from '../ui/notice.tsx'

const texts = tradeTexts.dialog

/** By the VIN, as the specification has it; the version says which state of it was meant. */
export function DeleteTradeDialog({ trade, onClose }: { trade: Trade; onClose: () => void }) {
  const { act } = useAct(deleteTrade, { refresh: [['trades'], ['deals']] })
  return (
    <ConfirmDialog
      title={texts.deleteTitle}
      confirm={tradeTexts.dashboard.delete}
      working={tradeTexts.dashboard.deleting}
      cancel={texts.cancel}
      danger
      failed={reasonOf}
      onConfirm={async () => {
        await act({ params: { vin: trade.vin }, query: { version: trade.version } })
        announce(tradeTexts.events.delete)
        onClose()
      }}
      onClose={onClose}
    >
      <Text>{texts.deleteQuestion}</Text>
      <Text fw={700}>{carName(trade)}</Text>
    </ConfirmDialog>
  )
}

const reasonOf = (fault: unknown) => (fault instanceof Refusal ? fault.message : tradeTexts.input.failed)
