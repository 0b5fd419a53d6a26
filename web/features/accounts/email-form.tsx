import type { forgotPassword, sendVerification } from '@keyturn/contract/accounts/endpoints.ts'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useEndpointMutation } from '../../api/mutations/use-endpoint-mutation.ts'
import { useFormMutation } from '../../api/mutations/use-form-mutation.ts'
import { Failure } from '../../components/feedback/failure.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { WorkButton } from '../../components/feedback/work-button.tsx'
import { EmailField } from '../../components/fields/contact-fields.tsx'
import { formOptions } from '../../components/fields/form.ts'

type EmailFormProps = {
  /** The request for an email. The server gives known and unknown addresses the same response. */
  call: typeof sendVerification | typeof forgotPassword
  initial?: string | undefined
  texts: { email: string; submit: string; sent: (email: string) => string; failed: string }
}

export function EmailForm({ call, initial = '', texts }: EmailFormProps) {
  const form = useForm(formOptions(call.body, { email: initial }))
  const [sentTo, setSentTo] = useState<string | null>(null)
  const ask = useEndpointMutation(call)
  const { submit, trouble } = useFormMutation(form, async (body) => {
    setSentTo(null)
    await ask.act({ body })
    setSentTo(body.email.trim())
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <EmailField label={texts.email} {...form.getInputProps('email')} />
        {trouble && <Failure sentence={texts.failed} fault={trouble} />}
        {sentTo && (
          <Notice kind="good" title={texts.sent(sentTo)}>
            {accountTexts.verify.onlyNewest}
          </Notice>
        )}
        <WorkButton type="submit" busy={ask.isWorking}>
          {texts.submit}
        </WorkButton>
      </Stack>
    </form>
  )
}
