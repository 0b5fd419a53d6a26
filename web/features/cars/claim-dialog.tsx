import { claimTexts as texts } from '@keyturn/contract/cars/claim-texts.ts'
import { claimCar } from '@keyturn/contract/cars/claims.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useEndpointMutation } from '../../api/mutations/use-endpoint-mutation.ts'
import { useMyId, useUser } from '../../auth/session.tsx'
import { ConfirmDialog } from '../../components/feedback/confirm-dialog.tsx'
import { Dialog } from '../../components/feedback/dialog.tsx'
import { Outcome } from '../../components/feedback/outcome.tsx'
import { TextAreaField } from '../../components/fields/text-field.tsx'
import { HomeButton, LinkButton } from '../../components/navigation/link.tsx'
import { texts as shared } from '../../components/texts.ts'
import { carsOfUserQuery } from '../deals/queries.ts'
import type { NewCar } from './add-car-form.tsx'

/** Explains how to proceed with a VIN that the person, or somebody else, has already listed. */
export function AlreadyListed({ vin, onClaim }: { vin: string; onClaim: () => void }) {
  const me = useMyId()
  const { data, isPending } = useQuery(carsOfUserQuery(me))
  if (isPending) return null
  const isOwn = data?.some((car) => car.vin === vin && car.sellerId === me)
  if (isOwn)
    return (
      <LinkButton to="/car/seller" search={{ userId: me, vin }}>
        {texts.ownListing}
      </LinkButton>
    )
  return <Button onClick={onClaim}>{texts.button}</Button>
}

type ClaimDialogProps = { car: NewCar; onDone: () => void; onClose: () => void }

/** Reports to the administrator that somebody else has listed the person's car (R-cars-36). */
export function ClaimDialog({ car, onDone, onClose }: ClaimDialogProps) {
  const { email } = useUser()
  const { act } = useEndpointMutation(claimCar)
  const [reason, setReason] = useState('')
  const [isSent, setSent] = useState(false)
  if (isSent)
    return (
      <Dialog
        title={carName(car)}
        size="sm"
        onClose={onDone}
        actions={<HomeButton side="selling">{texts.toDashboard}</HomeButton>}
      >
        <Outcome kind="good" title={texts.sent}>
          {texts.next(email)}
        </Outcome>
      </Dialog>
    )
  return (
    <ConfirmDialog
      title={texts.title}
      confirm={texts.send}
      cancel={texts.cancel}
      size="md"
      blockedBecause={reason.trim() === '' && shared.reasonFirst}
      failed={texts.failed}
      onConfirm={async () => {
        await act({ body: { ...car, reason } })
        setSent(true)
      }}
      onClose={onClose}
    >
      <p>{texts.lead}</p>
      <TextAreaField
        label={texts.reason}
        description={texts.reasonHint}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </ConfirmDialog>
  )
}
