import { adminLogin } from '@keyturn/contract/accounts/endpoints.ts'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { PasswordField } from '../accounts/password-field.tsx'
import { useAct } from '../decide/act.ts'
import { useFormAct } from '../decide/form-act.ts'
import { Trouble } from '../ui/feedback/trouble.tsx'
import { WorkButton } from '../ui/feedback/work-button.tsx'
import { formOf } from '../ui/fields/form.ts'
import { TextField } from '../ui/fields/text-field.tsx'
import { administratorKey } from '../who/person.ts'
import { isRefusedWith } from '../wire/refusals.ts'
import { beginGeneration } from '../wire/renew.ts'

const texts = accountTexts.admin

export function AdministratorForm() {
  const client = useQueryClient()
  const form = useForm(formOf(adminLogin.body, { username: '', password: '' }))
  const signIn = useAct(adminLogin, {
    onDone: () => {
      beginGeneration('administrator')
      return client.resetQueries({ queryKey: administratorKey })
    },
  })
  const { submit, trouble } = useFormAct(form, (body) => signIn.act({ body }))
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
        {trouble && (
          <Trouble>
            {isRefusedWith(trouble, adminLogin, 'InvalidCredentials') ? texts.failed : trouble.message}
          </Trouble>
        )}
        <WorkButton type="submit" busy={signIn.isWorking}>
          {texts.submit}
        </WorkButton>
      </Stack>
    </form>
  )
}
