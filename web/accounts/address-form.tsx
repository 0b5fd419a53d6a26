import { editUser, type User } from '@keyturn/contract/accounts/calls.ts'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useAct } from '../decide/act.ts'
import { useFormAct } from '../decide/form-act.ts'
import { Failure } from '../ui/feedback/failure.tsx'
import { WorkButton } from '../ui/feedback/work-button.tsx'
import { EmailField } from '../ui/fields/contact-fields.tsx'
import { formOf } from '../ui/fields/form.ts'
import { userKey } from '../who/person.ts'
import { useCurrentPassword } from './current-password.tsx'

const texts = accountTexts.verify

/** Corrects a mistyped address before it is verified. */
export function AddressForm({ user, onDone }: { user: User; onDone: () => void }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { redirectURL } = useLocation().state
  const form = useForm(formOf(editUser.body, { email: user.pendingEmail ?? user.email }))
  const edit = useAct(editUser, {
    onDone: async (changed) => {
      client.setQueryData(userKey, changed)
      const address = changed.pendingEmail ?? changed.email
      await navigate({
        to: '/email/$address',
        params: { address },
        state: { redirectURL },
        replace: true,
      })
      onDone()
    },
  })
  const password = useCurrentPassword(editUser)
  const { submit, trouble } = useFormAct(form, (body) =>
    password.sendWith((given) => edit.act({ body: { ...body, ...given } })),
  )
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <EmailField label={texts.newAddress} {...form.getInputProps('email')} />
        {password.field}
        {trouble && <Failure sentence={accountTexts.profile.failed} fault={trouble} />}
        <WorkButton type="submit" busy={edit.isWorking}>
          {texts.changeAddress}
        </WorkButton>
      </Stack>
    </form>
  )
}
