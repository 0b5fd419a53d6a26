import { passkeyTexts as texts } from '@keyturn/contract/accounts/passkey-texts.ts'
import { Stack } from '@mantine/core'
import { Dialog } from '../../../components/feedback/dialog.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { FormActions } from '../../../components/feedback/form-actions.tsx'
import { announce } from '../../../components/feedback/notice.tsx'
import { sentenceFor, useAddPasskey } from './use-add-passkey.ts'

/** Asks for the current password only if the server requires it (R-accounts-45). */
export function AddPasskeyDialog({ onClose }: { onClose: () => void }) {
  const { add, fault, isWorking, passwordField } = useAddPasskey(({ name }) => {
    announce(texts.added(name))
    onClose()
  })
  return (
    <Dialog
      title={texts.add}
      onClose={onClose}
      onSubmit={add}
      busy={isWorking}
      size="sm"
      trouble={fault !== null && <Failure sentence={sentenceFor(fault)} fault={fault} />}
      actions={
        <FormActions busy={isWorking} onCancel={onClose}>
          {texts.add}
        </FormActions>
      }
    >
      <Stack>
        <p>{texts.addLead}</p>
        {passwordField}
      </Stack>
    </Dialog>
  )
}
