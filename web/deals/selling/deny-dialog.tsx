import { fullName } from '@keyturn/contract/accounts/rules.ts'
import type { Car } from '@keyturn/contract/cars/calls.ts'
import type { Request } from '@keyturn/contract/deals/calls.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { formatUsd } from '@keyturn/contract/kit/money.ts'
import { Text } from '@mantine/core'
import { TurnDownDialog, useTurnDown } from './turn-down-dialog.tsx'
import { useWaitingRequest } from './use-waiting-request.ts'

const texts = dealTexts.seller

type DenyDialogProps = { car: Car; requests: readonly Request[]; requestId: string; onClose: () => void }

/** Denying closes the dialog; the message is kept for this buyer alone (R-deals-23). */
export function DenyDialog({ car, requests, requestId, onClose }: DenyDialogProps) {
  const denying = useTurnDown(texts.denied, onClose)
  const { shown, changes, gone, isStale, catchUp } = useWaitingRequest(requests, requestId, denying.mayBeDone)
  if (!shown) return null
  return (
    <TurnDownDialog
      title={texts.denyTitle}
      confirm={texts.deny}
      turnDown={denying}
      beginsWithMessage
      whom={{ userId: car.sellerId, vin: car.vin, buyerId: shown.buyer._id, version: shown.version }}
      over={gone}
      news={isStale && { title: texts.requestChanged, changes, goOn: texts.lookAgain, catchUp }}
      onClose={onClose}
    >
      <Text>
        {fullName(shown.buyer)}, {formatUsd(shown.price)}
      </Text>
    </TurnDownDialog>
  )
}
