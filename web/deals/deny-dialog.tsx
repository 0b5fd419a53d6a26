import { fullName } from '@keyturn/contract/accounts/rules.ts'
import type { Car } from '@keyturn/contract/cars/calls.ts'
import { decideBuyer, type Request } from '@keyturn/contract/deals/calls.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { formatUsd } from '@keyturn/contract/kit/money.ts'
import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useAct } from '../act.ts'
import { Dialog } from '../ui/dialog.tsx'
import { announce } from '../ui/notice.tsx'
import { TextAreaField } from '../ui/text-field.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { WorkButton } from '../ui/work-button.tsx'

const texts = dealTexts.seller

/** Denying closes the dialog (1 s4); the message is kept for this buyer alone (decisions B13). */
export function DenyDialog({ car, request, onClose }: { car: Car; request: Request; onClose: () => void }) {
  const [message, setMessage] = useState('')
  const denying = useAct(decideBuyer, {
    refresh: [['deals'], ['cars']],
    onDone: () => {
      announce(texts.denied)
      onClose()
    },
  })
  const { buyer, version, price } = request
  const deny = () =>
    denying.attempt({
      body: {
        userId: car.sellerId,
        vin: car.vin,
        status: 'REJECTED',
        buyerId: buyer._id,
        message: message.trim() || undefined,
        version,
      },
    })
  return (
    <Dialog
      title={texts.denyTitle}
      focusInside
      size="sm"
      onClose={onClose}
      onSubmit={deny}
      busy={denying.isWorking}
      trouble={denying.refusal && <Trouble>{denying.refusal.message}</Trouble>}
      actions={
        <>
          <Button variant="default" onClick={onClose} disabled={denying.isWorking}>
            {texts.cancel}
          </Button>
          <WorkButton type="submit" color="brick" busy={denying.isWorking}>
            {texts.deny}
          </WorkButton>
        </>
      }
    >
      <Text>
        {fullName(buyer)}, {formatUsd(price)}
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
}
