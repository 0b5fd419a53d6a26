import { changePassword } from '@keyturn/contract/accounts/endpoints.ts'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { Button, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useEndpointMutation } from '../../api/mutations/use-endpoint-mutation.ts'
import { useFormMutation } from '../../api/mutations/use-form-mutation.ts'
import { useUser } from '../../auth/session.tsx'
import { Dialog } from '../../components/feedback/dialog.tsx'
import { Failure } from '../../components/feedback/failure.tsx'
import { FormActions } from '../../components/feedback/form-actions.tsx'
import { Outcome } from '../../components/feedback/outcome.tsx'
import { formOptions } from '../../components/fields/form.ts'
import { NewPasswordFields } from './password-field.tsx'
import { useCurrentPassword } from './use-current-password.tsx'

const texts = accountTexts.settings

/** Asks for the current password only if the server requires it (R-accounts-14). */
export function ChangePasswordForm({ onClose }: { onClose: () => void }) {
  const { _id } = useUser()
  const form = useForm(
    formOptions(changePassword.body, { password: '', confirmPassword: '', changePasswordId: _id }),
  )
  const change = useEndpointMutation(changePassword, {
    // It ends the other sessions and revokes all access tokens.
    refresh: [
      ['accounts', 'sessions'],
      ['accounts', 'tokens'],
    ],
  })
  const password = useCurrentPassword(changePassword)
  const { submit, trouble, clearError } = useFormMutation(form, (body) =>
    password.sendWith((given) => change.act({ body: { ...body, ...given } })),
  )
  if (change.done) {
    return (
      <Dialog title={texts.changePassword} onClose={onClose} size="sm">
        <Outcome
          kind="good"
          title={texts.changed}
          order={3}
          action={<Button onClick={onClose}>{texts.close}</Button>}
        />
      </Dialog>
    )
  }
  const startOver = () => {
    form.reset()
    clearError()
  }
  return (
    <Dialog
      title={texts.changePassword}
      onClose={onClose}
      onSubmit={submit}
      busy={change.isWorking}
      size="sm"
      trouble={trouble && <Failure sentence={texts.failed} fault={trouble} onRetry={startOver} />}
      actions={
        <FormActions busy={change.isWorking} onCancel={onClose}>
          {texts.save}
        </FormActions>
      }
    >
      <Stack>
        <p>{texts.passwordLead}</p>
        <NewPasswordFields form={form} texts={texts} />
        {password.field}
      </Stack>
    </Dialog>
  )
}
