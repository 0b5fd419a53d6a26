import { editUser, type User } from '@keyturn/contract/accounts/calls.ts'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { SimpleGrid, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useAct } from '../decide/act.ts'
import { useFormAct } from '../decide/form-act.ts'
import { Dialog } from '../ui/feedback/dialog.tsx'
import { Failure } from '../ui/feedback/failure.tsx'
import { FormActions } from '../ui/feedback/form-actions.tsx'
import { announce } from '../ui/feedback/notice.tsx'
import { EmailField, PhoneField } from '../ui/fields/contact-fields.tsx'
import { formOf } from '../ui/fields/form.ts'
import { TextField } from '../ui/fields/text-field.tsx'
import { userKey } from '../who/person.ts'
import { useDraft } from '../who/use-draft.ts'
import { useCurrentPassword } from './current-password.tsx'

const texts = accountTexts.profile

/** The Edit Profile dialog. */
export function ProfileForm({ user, onClose }: { user: User; onClose: () => void }) {
  const client = useQueryClient()
  const { firstName, lastName, phoneNumber } = user
  const form = useForm(
    formOf(editUser.body, { firstName, lastName, email: user.pendingEmail ?? user.email, phoneNumber }),
  )
  useDraft(form, 'profile')
  const edit = useAct(editUser, {
    onDone: (changed) => {
      client.setQueryData(userKey, changed)
      announce(texts.saved)
      onClose()
    },
  })
  const password = useCurrentPassword(editUser)
  const { submit, trouble } = useFormAct(form, (body) =>
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
