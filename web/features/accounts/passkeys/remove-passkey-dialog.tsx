import { passkeyTexts as texts } from '@keyturn/contract/accounts/passkey-texts.ts'
import { type Passkey, removePasskey } from '@keyturn/contract/accounts/passkeys.ts'
import { Stack } from '@mantine/core'
import { useEndpointMutation } from '../../../api/mutations/use-endpoint-mutation.ts'
import { Dialog } from '../../../components/feedback/dialog.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { FormActions } from '../../../components/feedback/form-actions.tsx'
import { isPasswordRequired, useCurrentPassword } from '../use-current-password.tsx'
import { passkeysQuery } from './queries.ts'

/** Asks for the current password only if the server requires it (R-accounts-45). */
export function RemovePasskeyDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const { _id: passkeyId, name } = passkey
  const password = useCurrentPassword(removePasskey)
  const removal = useEndpointMutation(removePasskey, {
    refresh: [passkeysQuery.queryKey],
    success: texts.removed(name),
    onDone: onClose,
  })
  const remove = () =>
    password.sendWith((body) => removal.act({ params: { passkeyId }, body })).catch(() => undefined)
  return (
    <Dialog
      title={texts.removeTitle}
      onClose={onClose}
      onSubmit={remove}
      busy={removal.isWorking}
      size="sm"
      trouble={
        removal.error &&
        !isPasswordRequired(removal.error) && <Failure sentence={texts.removeFailed} fault={removal.error} />
      }
      actions={
        <FormActions danger busy={removal.isWorking} onCancel={onClose}>
          {texts.remove}
        </FormActions>
      }
    >
      <Stack>
        <p>{texts.removeQuestion(name)}</p>
        {password.field}
      </Stack>
    </Dialog>
  )
}
