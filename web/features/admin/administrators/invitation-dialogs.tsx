import { adminRoles } from '@keyturn/contract/accounts/admin-acts.ts'
import { administratorTexts } from '@keyturn/contract/accounts/administrator-texts.ts'
import { inviteAdministrator } from '@keyturn/contract/accounts/administrators.ts'
import { Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useEndpointMutation } from '../../../api/mutations/use-endpoint-mutation.ts'
import { useFormMutation } from '../../../api/mutations/use-form-mutation.ts'
import { administratorKey } from '../../../auth/remembered-person.ts'
import { Dialog } from '../../../components/feedback/dialog.tsx'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { FormActions } from '../../../components/feedback/form-actions.tsx'
import { ShowOnceDialog } from '../../../components/feedback/show-once-dialog.tsx'
import { formOptions } from '../../../components/fields/form.ts'
import { SelectField } from '../../../components/fields/select-field.tsx'
import { TextField } from '../../../components/fields/text-field.tsx'

const { list: texts, fields, roles, roleHints } = administratorTexts

type Invited = { name: string; link: string }
type InvitationDialogProps = { onInvited: (invited: Invited) => void; onClose: () => void }

export function InvitationDialog({ onInvited, onClose }: InvitationDialogProps) {
  const invite = useEndpointMutation(inviteAdministrator, { refresh: [administratorKey] })
  const form = useForm(
    formOptions(inviteAdministrator.body, { name: '', username: '', role: 'SUPPORT' as const }),
  )
  const { submit, trouble } = useFormMutation(form, async (body) => {
    const { administrator, invitation } = await invite.act({ body })
    onClose()
    if (invitation) onInvited({ name: administrator.name, link: invitation })
  })
  return (
    <Dialog
      title={texts.add}
      onClose={onClose}
      onSubmit={submit}
      busy={invite.isWorking}
      trouble={trouble && <ErrorNotice>{trouble.message}</ErrorNotice>}
      actions={
        <FormActions onCancel={onClose} busy={invite.isWorking}>
          {texts.send}
        </FormActions>
      }
    >
      <Stack>
        <TextField label={fields.name} autoComplete="off" {...form.getInputProps('name')} />
        <TextField
          label={fields.username}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...form.getInputProps('username')}
        />
        <SelectField
          label={fields.role}
          options={adminRoles.map((value) => ({ value, label: `${roles[value]}: ${roleHints[value]}` }))}
          {...form.getInputProps('role')}
        />
      </Stack>
    </Dialog>
  )
}

export const InvitationLinkDialog = ({ name, link, onClose }: Invited & { onClose: () => void }) => (
  <ShowOnceDialog
    title={texts.linkTitle}
    lead={texts.linkLead(name)}
    label={texts.link}
    value={link}
    texts={texts}
    onClose={onClose}
  />
)
