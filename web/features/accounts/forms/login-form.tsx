import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { Anchor, Stack } from '@mantine/core'
import { WorkButton } from '../../../components/feedback/work-button.tsx'
import { EmailField } from '../../../components/fields/contact-fields.tsx'
import { PasswordField, PasswordParts } from '../password-field.tsx'

const texts = accountTexts.login

/** Email and password, on /login and on /buy-this-car; `form-scripts.ts` sends them. */
export const LoginForm = ({ submit, hasPasskeys }: { submit: string; hasPasskeys?: boolean }) => (
  // `post` keeps typed values out of the address if the script fails.
  <form method="post" noValidate data-form="login">
    <Stack>
      <EmailField
        label={texts.email}
        name="email"
        autoComplete={hasPasskeys ? 'username webauthn' : 'username'}
      />
      <PasswordField label={texts.password} name="password" autoComplete="current-password" />
      <div>
        <Anchor href="/password/forgot">{texts.forgot}</Anchor>
      </div>
      <WorkButton type="submit">{submit}</WorkButton>
    </Stack>
    <PasswordParts />
  </form>
)
