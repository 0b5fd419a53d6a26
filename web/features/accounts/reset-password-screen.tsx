import { resetPassword } from '@keyturn/contract/accounts/endpoints.ts'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { hasErrorCode } from '../../api/errors.ts'
import { useEndpointMutation } from '../../api/mutations/use-endpoint-mutation.ts'
import { useFormMutation } from '../../api/mutations/use-form-mutation.ts'
import { Failure } from '../../components/feedback/failure.tsx'
import { Outcome } from '../../components/feedback/outcome.tsx'
import { WorkButton } from '../../components/feedback/work-button.tsx'
import { formOptions } from '../../components/fields/form.ts'
import { Card } from '../../components/layout/card.tsx'
import { LinkButton } from '../../components/navigation/link.tsx'
import { PublicPage } from '../public-pages/public-page.tsx'
import { NewPasswordFields } from './password-field.tsx'
import { useLinkCode } from './use-link-code.ts'

const texts = accountTexts.reset

/** /password/reset. The server checks expiry itself; `exp` only avoids a useless form. */
export function ResetPasswordScreen() {
  const { code, exp } = useLinkCode()
  const [openedAt] = useState(() => Date.now())
  const isGood = code !== undefined && exp !== undefined && exp > openedAt
  return (
    <PublicPage title={texts.title}>
      <Card>{isGood ? <ResetForm code={code} /> : <InvalidLink />}</Card>
    </PublicPage>
  )
}

function ResetForm({ code }: { code: string }) {
  const form = useForm(
    formOptions(resetPassword.body, { password: '', confirmPassword: '', verificationCode: code }),
  )
  const reset = useEndpointMutation(resetPassword)
  const { submit, trouble } = useFormMutation(form, (body) => reset.act({ body }))
  if (reset.done) {
    return (
      <Outcome kind="good" title={texts.done} action={<LinkButton to="/login">{texts.toLogin}</LinkButton>} />
    )
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <NewPasswordFields form={form} texts={texts} />
        {trouble && (
          <Failure
            sentence={texts.failed}
            fault={trouble}
            action={
              hasErrorCode(trouble, resetPassword, 'InvalidResetCode') && (
                <LinkButton variant="default" to="/password/forgot">
                  {texts.resend}
                </LinkButton>
              )
            }
          />
        )}
        <WorkButton type="submit" busy={reset.isWorking}>
          {texts.submit}
        </WorkButton>
      </Stack>
    </form>
  )
}

function InvalidLink() {
  return (
    <Outcome
      kind="bad"
      title={texts.invalidTitle}
      action={<LinkButton to="/password/forgot">{texts.resend}</LinkButton>}
    >
      {texts.invalidText}
    </Outcome>
  )
}
