import { administratorTexts } from '@keyturn/contract/accounts/administrator-texts.ts'
import { adminLogin } from '@keyturn/contract/accounts/endpoints.ts'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { hasErrorCode } from '../../api/errors.ts'
import { useEndpointMutation } from '../../api/mutations/use-endpoint-mutation.ts'
import { useFormMutation } from '../../api/mutations/use-form-mutation.ts'
import { beginGeneration } from '../../api/renew-session.ts'
import { administratorKey } from '../../auth/remembered-person.ts'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { WorkButton } from '../../components/feedback/work-button.tsx'
import { formOptions } from '../../components/fields/form.ts'
import { TextField } from '../../components/fields/text-field.tsx'
import { PasswordField } from '../accounts/password-field.tsx'

const texts = accountTexts.admin

export function AdministratorForm() {
  const client = useQueryClient()
  const form = useForm(
    formOptions(adminLogin.body, { username: '', password: '', code: undefined as string | undefined }),
  )
  const [asksForCode, setAsksForCode] = useState(false)
  const signIn = useEndpointMutation(adminLogin, {
    onDone: () => {
      beginGeneration('administrator')
      return client.resetQueries({ queryKey: administratorKey })
    },
  })
  const { submit, trouble } = useFormMutation(form, async (body) => {
    try {
      await signIn.act({ body })
    } catch (error) {
      if (!hasErrorCode(error, adminLogin, 'AdminCodeRequired')) throw error
      // The field is shown in place; the password stays.
      if (asksForCode) form.setFieldError('code', administratorTexts.fields.codeFault)
      setAsksForCode(true)
    }
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextField
          label={texts.username}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          {...form.getInputProps('username')}
        />
        <PasswordField
          label={texts.password}
          autoComplete="current-password"
          {...form.getInputProps('password')}
        />
        {asksForCode && (
          <TextField
            label={administratorTexts.fields.code}
            description={administratorTexts.fields.codeHint}
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
            {...form.getInputProps('code')}
          />
        )}
        {trouble && (
          <ErrorNotice>
            {hasErrorCode(trouble, adminLogin, 'InvalidCredentials') ? texts.failed : trouble.message}
          </ErrorNotice>
        )}
        <WorkButton type="submit" busy={signIn.isWorking}>
          {texts.submit}
        </WorkButton>
      </Stack>
    </form>
  )
}
