import { editUser, sendVerification, type User } from '@keyturn/contract/accounts/endpoints.ts'
import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { Button, SimpleGrid, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useEndpointMutation } from '../../api/mutations/use-endpoint-mutation.ts'
import { useFormMutation } from '../../api/mutations/use-form-mutation.ts'
import { userKey } from '../../auth/remembered-person.ts'
import { useUser } from '../../auth/session.tsx'
import { useDraft } from '../../auth/use-draft.ts'
import { Dialog } from '../../components/feedback/dialog.tsx'
import { Failure } from '../../components/feedback/failure.tsx'
import { FormActions } from '../../components/feedback/form-actions.tsx'
import { announce, Notice } from '../../components/feedback/notice.tsx'
import { WorkButton } from '../../components/feedback/work-button.tsx'
import { EmailField, PhoneField } from '../../components/fields/contact-fields.tsx'
import { formOptions } from '../../components/fields/form.ts'
import { TextField } from '../../components/fields/text-field.tsx'
import { Card } from '../../components/layout/card.tsx'
import { Page } from '../../components/layout/page.tsx'
import { FactTable } from '../../components/lists/fact-table.tsx'
import { BouncedEmailCard } from './bounced-email-card.tsx'
import { useCurrentPassword } from './use-current-password.tsx'

const texts = accountTexts.profile

export function ProfileScreen() {
  const user = useUser()
  const [isOpen, setOpen] = useState(false)
  return (
    <Page
      title={texts.title}
      width="wizard"
      action={<Button onClick={() => setOpen(true)}>{texts.edit}</Button>}
    >
      <BouncedEmailCard onProfile />
      {user.pendingEmail && <PendingEmail key={user.pendingEmail} address={user.pendingEmail} />}
      <Card>
        <FactTable
          facts={[
            { term: texts.name, value: fullName(user) },
            { term: texts.email, value: user.email },
            { term: texts.phone, value: user.phoneNumber },
          ]}
        />
      </Card>
      {isOpen && <ProfileForm user={user} onClose={() => setOpen(false)} />}
    </Page>
  )
}

/** Offers to send the email to the new address again, because it may get lost. */
function PendingEmail({ address }: { address: string }) {
  const resend = useEndpointMutation(sendVerification)
  return (
    <Stack gap="xs">
      <Notice
        kind="waiting"
        action={
          <WorkButton
            variant="default"
            size="sm"
            working={accountTexts.verify.sending}
            onClick={() => resend.attempt({ body: { email: address } })}
          >
            {accountTexts.verify.resend}
          </WorkButton>
        }
      >
        {texts.pendingEmail(address)}
      </Notice>
      {resend.error && <Failure sentence={accountTexts.verify.sendFailed} fault={resend.error} />}
      {resend.done && (
        <Notice kind="good" title={accountTexts.verify.sent(address)}>
          {accountTexts.verify.onlyNewest}
        </Notice>
      )}
    </Stack>
  )
}

function ProfileForm({ user, onClose }: { user: User; onClose: () => void }) {
  const client = useQueryClient()
  const { firstName, lastName, phoneNumber } = user
  const form = useForm(
    formOptions(editUser.body, { firstName, lastName, email: user.pendingEmail ?? user.email, phoneNumber }),
  )
  useDraft(form, 'profile')
  const edit = useEndpointMutation(editUser, {
    onDone: (changed) => {
      client.setQueryData(userKey, changed)
      announce(texts.saved)
      onClose()
    },
  })
  const password = useCurrentPassword(editUser)
  const { submit, trouble } = useFormMutation(form, (body) =>
    password.sendWith((given) => edit.act({ body: { ...body, ...given } })),
  )
  return (
    <Dialog
      title={texts.edit}
      onClose={onClose}
      onSubmit={submit}
      busy={edit.isWorking}
      trouble={trouble && <Failure sentence={texts.failed} fault={trouble} />}
      actions={
        <FormActions busy={edit.isWorking} onCancel={onClose}>
          {texts.save}
        </FormActions>
      }
    >
      <Stack>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextField
            label={texts.firstName}
            autoComplete="given-name"
            data-autofocus
            {...form.getInputProps('firstName')}
          />
          <TextField label={texts.lastName} autoComplete="family-name" {...form.getInputProps('lastName')} />
        </SimpleGrid>
        <EmailField label={texts.email} description={texts.emailHint} {...form.getInputProps('email')} />
        <PhoneField label={texts.phone} {...form.getInputProps('phoneNumber')} />
        {password.field}
      </Stack>
    </Dialog>
  )
}
