import { suspensionTexts } from '@keyturn/contract/accounts/suspension-texts.ts'
import {
  endSessionsOfPerson,
  liftSuspension,
  type PersonState,
} from '@keyturn/contract/accounts/suspensions.ts'
import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { useEndpointMutation } from '../../../api/mutations/use-endpoint-mutation.ts'
import { administratorKey } from '../../../auth/remembered-person.ts'
import { ConfirmDialog } from '../../../components/feedback/confirm-dialog.tsx'
import { SuspendDialog } from './suspend-dialog.tsx'

const texts = suspensionTexts.person
const { liftDialog, endDialog } = suspensionTexts

type OpenDialog = 'suspend' | 'lift' | 'end' | null

/** Suspends a person, lifts the suspension, or ends the sessions only. */
export function PersonActions({ person }: { person: PersonState }) {
  const [open, setOpen] = useState<OpenDialog>(null)
  const close = () => setOpen(null)
  if (person.isDeleted) return null
  return (
    <>
      <Group gap="sm">
        {person.isSuspended ? (
          <Button onClick={() => setOpen('lift')}>{texts.lift}</Button>
        ) : (
          <Button color="brick" onClick={() => setOpen('suspend')}>
            {texts.suspend}
          </Button>
        )}
        {person.sessions.length > 0 && (
          <Button variant="default" onClick={() => setOpen('end')}>
            {texts.endSessions}
          </Button>
        )}
      </Group>
      {open === 'suspend' && <SuspendDialog userId={person._id} onClose={close} />}
      {open === 'lift' && <LiftDialog person={person} onClose={close} />}
      {open === 'end' && <EndSessionsDialog person={person} onClose={close} />}
    </>
  )
}

type DialogProps = { person: PersonState; onClose: () => void }

function LiftDialog({ person, onClose }: DialogProps) {
  // The one that this page shows; a newer one stays.
  const [suspension] = useState(() => person.suspensions.find(({ liftedAt }) => liftedAt === null))
  const { act } = useEndpointMutation(liftSuspension, {
    refresh: [administratorKey],
    success: texts.wasLifted,
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={texts.lift}
      confirm={liftDialog.submit}
      failed={liftDialog.failed}
      onConfirm={() => suspension && act({ params: { userId: person._id, suspensionId: suspension._id } })}
      onClose={onClose}
    >
      {liftDialog.question}
    </ConfirmDialog>
  )
}

function EndSessionsDialog({ person, onClose }: DialogProps) {
  const { act } = useEndpointMutation(endSessionsOfPerson, {
    refresh: [administratorKey],
    success: texts.ended,
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={texts.endSessions}
      confirm={endDialog.submit}
      failed={endDialog.failed}
      onConfirm={() => act({ params: { userId: person._id } })}
      onClose={onClose}
    >
      {endDialog.question}
    </ConfirmDialog>
  )
}
