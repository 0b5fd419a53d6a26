import { passkeyTexts as texts } from '@keyturn/contract/accounts/passkey-texts.ts'
import { type Passkey, renamePasskey } from '@keyturn/contract/accounts/passkeys.ts'
import { useForm } from '@mantine/form'
import { useEndpointMutation } from '../../../api/mutations/use-endpoint-mutation.ts'
import { useFormMutation } from '../../../api/mutations/use-form-mutation.ts'
import { Dialog } from '../../../components/feedback/dialog.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { FormActions } from '../../../components/feedback/form-actions.tsx'
import { formOptions } from '../../../components/fields/form.ts'
import { TextField } from '../../../components/fields/text-field.tsx'
import { passkeysQuery } from './queries.ts'

export function RenamePasskeyDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const renaming = useEndpointMutation(renamePasskey, {
    refresh: [passkeysQuery.queryKey],
    success: texts.renamed,
    onDone: onClose,
  })
  const form = useForm(formOptions(renamePasskey.body, { name: passkey.name }))
  const { submit, trouble } = useFormMutation(form, (body) =>
    renaming.act({ params: { passkeyId: passkey._id }, body }),
  )
  return (
    <Dialog
      title={texts.renameTitle}
      onClose={onClose}
      onSubmit={submit}
      busy={renaming.isWorking}
      size="sm"
      focusInside
      trouble={trouble && <Failure sentence={texts.saveFailed} fault={trouble} />}
      actions={
        <FormActions busy={renaming.isWorking} onCancel={onClose}>
          {texts.save}
        </FormActions>
      }
    >
      <TextField label={texts.name} maxLength={60} data-autofocus {...form.getInputProps('name')} />
    </Dialog>
  )
}
