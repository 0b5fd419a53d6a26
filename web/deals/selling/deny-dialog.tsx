import { fullName } from '@keyturn/contract/accounts/rules.ts'
import type { Car } from '@keyturn/contract/cars/calls.ts'
import { sellingTexts as texts } from '@keyturn/contract/deals/selling-texts.ts'
import type { Request } from '@keyturn/contract/deals/shapes.ts'
import { termsTexts } from '@keyturn/contract/deals/terms-texts.ts'
import { formatUsd } from '@keyturn/contract/kit/money.ts'
import { Text } from '@mantine/core'
import { useDecision } from '../../decide/use-decision.ts'
import { TurnDownDialog, useTurnDown } from './turn-down-dialog.tsx'
import { newsOfWaiting, waitingRequest } from './waiting-request.ts'

type DenyDialogProps = { car: Car; requests: readonly Request[]; requestId: string; onClose: () => void }

/** Denying closes the dialog; the message is only for this buyer (R-deals-23). */
export function DenyDialog({ car, requests, requestId, onClose }: DenyDialogProps) {
  const { by, ...typed } = useTurnDown(texts.denied, onClose)
  const { present, outcome } = waitingRequest(requests, requestId)
  const decision = useDecision({ by, present, newsOf: newsOfWaiting })
  const { read } = decision
  if (!read) return null
  return (
    <TurnDownDialog
      title={texts.denyTitle}
      confirm={texts.deny}
      decision={decision}
      typed={typed}
      beginsWithMessage
      whom={({ buyer, version }) => ({ userId: car.sellerId, vin: car.vin, buyerId: buyer._id, version })}
      over={outcome}
      changed={texts.requestChanged}
      goOn={texts.lookAgain}
      onClose={onClose}
    >
      <Text>
        {fullName(read.buyer)}, {formatUsd(read.price)}
      </Text>
      {read.buyerSigned && <Text fw={700}>{termsTexts.falls.denied(fullName(read.buyer))}</Text>}
    </TurnDownDialog>
  )
}
