import { administratorTexts } from '@keyturn/contract/accounts/administrator-texts.ts'
import { confirmPassword } from '@keyturn/contract/accounts/administrators.ts'
import { Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useCallback, useEffect, useRef, useState } from 'react'
import { onPasswordNeeded } from '../../api/confirm-password.ts'
import { hasErrorCode } from '../../api/errors.ts'
import { useEndpointMutation } from '../../api/mutations/use-endpoint-mutation.ts'
import { useFormMutation } from '../../api/mutations/use-form-mutation.ts'
import { Dialog } from '../../components/feedback/dialog.tsx'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { FormActions } from '../../components/feedback/form-actions.tsx'
import { formOptions } from '../../components/fields/form.ts'
import { PasswordField } from './password-field.tsx'

const texts = administratorTexts.confirm

/** Opens when an act needs the password again; the act is repeated after it (R-accounts-58). */
export function AdminPasswordDialog() {
  const [isOpen, setOpen] = useState(false)
  // One question answers all acts that wait for it.
  const waiting = useRef<((isConfirmed: boolean) => void)[]>([])
  const answer = useCallback((isConfirmed: boolean) => {
    for (const resolve of waiting.current.splice(0)) resolve(isConfirmed)
    setOpen(false)
  }, [])
  useEffect(() => {
    const stop = onPasswordNeeded(
      () =>
        new Promise<boolean>((resolve) => {
          waiting.current.push(resolve)
          setOpen(true)
        }),
    )
    return () => {
      stop()
      answer(false)
    }
  }, [answer])
  return isOpen && <PasswordDialog onAnswer={answer} />
}

function PasswordDialog({ onAnswer }: { onAnswer: (isConfirmed: boolean) => void }) {
  const confirm = useEndpointMutation(confirmPassword)
  const form = useForm(formOptions(confirmPassword.body, { password: '' }))
  const { submit, trouble } = useFormMutation(form, async (body) => {
    await confirm.act({ body })
    onAnswer(true)
  })
  const onCancel = () => onAnswer(false)
  return (
    <Dialog
      title={texts.title}
      size="sm"
      onClose={onCancel}
      onSubmit={submit}
      focusInside
      busy={confirm.isWorking}
      trouble={
        trouble && (
          <ErrorNotice>
            {hasErrorCode(trouble, confirmPassword, 'ReauthenticationRequired')
              ? texts.wrong
              : trouble.message}
          </ErrorNotice>
        )
      }
      actions={
        <FormActions onCancel={onCancel} busy={confirm.isWorking}>
          {texts.submit}
        </FormActions>
      }
    >
      <Stack>
        <Text>{texts.lead}</Text>
        <PasswordField
          label={texts.password}
          autoComplete="current-password"
          data-autofocus
          {...form.getInputProps('password')}
        />
      </Stack>
    </Dialog>
  )
}
