import { administratorTexts } from '@keyturn/contract/accounts/administrator-texts.ts'
import { acceptInvitation } from '@keyturn/contract/accounts/administrators.ts'
import { accountErrors } from '@keyturn/contract/accounts/texts.ts'
import { Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEndpointMutation } from '../../../api/mutations/use-endpoint-mutation.ts'
import { useFormMutation } from '../../../api/mutations/use-form-mutation.ts'
import { beginGeneration } from '../../../api/renew-session.ts'
import { administratorKey } from '../../../auth/remembered-person.ts'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { WorkButton } from '../../../components/feedback/work-button.tsx'
import { formOptions } from '../../../components/fields/form.ts'
import { Card } from '../../../components/layout/card.tsx'
import { PasswordField } from '../../accounts/password-field.tsx'
import { useFragmentCode } from '../../accounts/use-link-code.ts'
import { PublicPage } from '../../public-pages/public-page.tsx'

const texts = administratorTexts.invitation

/** /dev/invitation: a new administrator chooses a password (R-accounts-54). */
export function InvitationScreen() {
  const code = useFragmentCode()
  return (
    <PublicPage title={texts.title} lead={code && texts.lead}>
      <Card>
        {code ? (
          <InvitationForm code={code} />
        ) : (
          <ErrorNotice>{accountErrors.InvalidInvitation().message}</ErrorNotice>
        )}
      </Card>
    </PublicPage>
  )
}

function InvitationForm({ code }: { code: string }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const accept = useEndpointMutation(acceptInvitation, {
    onDone: async () => {
      beginGeneration('administrator')
      await client.resetQueries({ queryKey: administratorKey })
      await navigate({ to: '/dev', replace: true })
    },
  })
  const form = useForm(formOptions(acceptInvitation.body, { code, password: '', confirmPassword: '' }))
  const { submit, trouble } = useFormMutation(form, (body) => accept.act({ body: { ...body, code } }))
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <PasswordField
          label={texts.password}
          autoComplete="new-password"
          {...form.getInputProps('password')}
        />
        <PasswordField
          label={texts.confirmPassword}
          autoComplete="new-password"
          {...form.getInputProps('confirmPassword')}
        />
        {trouble && <ErrorNotice>{trouble.message}</ErrorNotice>}
        <WorkButton type="submit" busy={accept.isWorking}>
          {texts.submit}
        </WorkButton>
      </Stack>
    </form>
  )
}
