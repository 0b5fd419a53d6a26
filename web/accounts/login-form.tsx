import { login } from '@keyturn/contract/accounts/calls.ts'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useAct } from '../decide/act.ts'
import { useFormAct } from '../decide/form-act.ts'
import { Trouble } from '../ui/feedback/trouble.tsx'
import { WorkButton } from '../ui/feedback/work-button.tsx'
import { EmailField } from '../ui/fields/contact-fields.tsx'
import { formOf } from '../ui/fields/form.ts'
import { TextLink } from '../ui/frame/link.tsx'
import { isRefusedWith } from '../wire/refusals.ts'
import { PasswordField } from './password-field.tsx'

const texts = accountTexts.login

type LoginFormProps = {
  submit: string
  failed: string
  /** The button shows that it is working until this settles. */
  onDone: () => Promise<unknown>
}

/** Email and password, on /login and on /buy-this-car. */
export function LoginForm({ submit, failed, onDone }: LoginFormProps) {
  const form = useForm(formOf(login.body, { email: '', password: '' }))
  const signIn = useAct(login, { onDone })
  const { submit: send, trouble } = useFormAct(form, (body) => signIn.act({ body }))
  return (
    <form onSubmit={send} noValidate>
      <Stack>
        <EmailField label={texts.email} autoComplete="username" {...form.getInputProps('email')} />
        <PasswordField
          label={texts.password}
          autoComplete="current-password"
          {...form.getInputProps('password')}
        />
        <div>
          <TextLink to="/password/forgot">{texts.forgot}</TextLink>
        </div>
        {/* Not a `Failure`: while Keyturn is out of reach, nobody knows whether the password is wrong. */}
        {trouble && (
          <Trouble>
            {isRefusedWith(trouble, login, 'InvalidCredentials') ? failed : trouble.message}{' '}
            {isRefusedWith(trouble, login, 'TooManyRequests') && texts.lookForLink}
          </Trouble>
        )}
        <WorkButton type="submit" busy={signIn.isWorking}>
          {submit}
        </WorkButton>
      </Stack>
    </form>
  )
}
