import { fullName } from '@keyturn/contract/accounts/rules.ts'
import type { Car } from '@keyturn/contract/cars/calls.ts'
import { decideBuyer, type Request } from '@keyturn/contract/deals/calls.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { formatUsd } from '@keyturn/contract/kit/money.ts'
import { Button, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useAct } from '../act.ts'
import { Behind } from '../behind.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { announce } from '../ui/notice.tsx'
import { TextAreaField } from '../ui/text-field.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { WorkButton } from '../ui/work-button.tsx'
import { useWaitingRequest } from './use-waiting-request.ts'

const texts = dealTexts.seller

type DenyDialogProps = { car: Car; requests: readonly Request[]; requestId: string; onClose: () => void }

/** Denying closes the dialog (1 s4); the message is kept for this buyer alone (decisions B13). */
export function DenyDialog({ car, requests, requestId, onClose }: DenyDialogProps) {
  const [message, setMessage] = useState('')
  const denying = useAct(decideBuyer, {
    refresh: [['deals'], ['cars']],
    onDone: () => {
      announce(texts.denied)
      onClose()
    },
  })
  const { shown, changes, gone, isStale, catchUp } = useWaitingRequest(requests, requestId, denying.mayBeDone)
  const goOn = () => {
    catchUp()
    denying.reset()
  }
  if (!shown) return null
  const deny = () => {
    if (isStale || gone) return
    return denying.attempt({
      body: {
        userId: car.sellerId,
        vin: car.vin,
        status: 'REJECTED',
        buyerId: shown.buyer._id,
        message: message.trim() || undefined,
        version: shown.version,
      },
    })
  }
  return (
    <Dialog
      title={texts.denyTitle}
      focusInside
      size="sm"
      onClose={onClose}
      onSubmit={deny}
      busy={denying.isWorking}
      trouble={trouble()}
      actions={
        gone ? (
          <Button onClick={onClose}>{texts.close}</Button>
        ) : (
          <>
            <Button variant="default" onClick={onClose} disabled={denying.isWorking}>
              {texts.cancel}
            </Button>
            <WorkButton type="submit" color="brick" busy={denying.isWorking} disabled={isStale}>
              {texts.deny}
            </WorkButton>
          </>
        )
      }
    >
      <Text>
        {fullName(shown.buyer)}, {formatUsd(shown.price)}
      </Text>
      <TextAreaField
        label={texts.denyMessage}
        maxLength={1000}
        data-autofocus
        value={message}
        onChange={(event) => setMessage(event.currentTarget.value)}
      />
    </Dialog>
  )

  function trouble(): ReactNode {
    if (gone) return <Trouble>{gone}</Trouble>
    if (isStale)
      return <Behind title={texts.requestChanged} changes={changes} goOn={texts.lookAgain} onGoOn={goOn} />
    return denying.refusal && <Trouble>{denying.refusal.message}</Trouble>
  }
}
