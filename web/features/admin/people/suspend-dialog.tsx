import {
  type SuspensionReason,
  suspensionReasons,
  suspensionTexts,
} from '@keyturn/contract/accounts/suspension-texts.ts'
import { suspendPerson } from '@keyturn/contract/accounts/suspensions.ts'
import { Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useEndpointMutation } from '../../../api/mutations/use-endpoint-mutation.ts'
import { useFormMutation } from '../../../api/mutations/use-form-mutation.ts'
import { administratorKey } from '../../../auth/remembered-person.ts'
import { Dialog } from '../../../components/feedback/dialog.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { FormActions } from '../../../components/feedback/form-actions.tsx'
import { createValidator } from '../../../components/fields/form.ts'
import { SelectField } from '../../../components/fields/select-field.tsx'
import { TextAreaField } from '../../../components/fields/text-field.tsx'

const texts = suspensionTexts.suspend

type SuspendForm = { reason: SuspensionReason | ''; note: string }
const options = [
  { value: '', label: '' },
  ...suspensionReasons.map((value) => ({ value, label: texts.reasons[value] })),
]

/** Suspends a person for one of the reasons, with a sentence that the person will read. */
export function SuspendDialog({ userId, onClose }: { userId: string; onClose: () => void }) {
  const { act, isWorking } = useEndpointMutation(suspendPerson, {
    refresh: [administratorKey],
    success: suspensionTexts.person.wasSuspended,
    onDone: onClose,
  })
  const form = useForm<SuspendForm>({
    mode: 'controlled',
    initialValues: { reason: '', note: '' },
    validate: createValidator(suspendPerson.body),
  })
  const { submit, trouble } = useFormMutation(form, async ({ reason, note }) => {
    if (reason !== '') await act({ params: { userId }, body: { reason, note } })
  })
  return (
    <Dialog
      title={texts.title}
      onClose={onClose}
      onSubmit={submit}
      busy={isWorking}
      size="sm"
      focusInside
      trouble={trouble && <Failure sentence={texts.failed} fault={trouble} />}
      actions={
        <FormActions onCancel={onClose} busy={isWorking} danger>
          {texts.submit}
        </FormActions>
      }
    >
      <Stack gap="md">
        <Text>{texts.lead}</Text>
        <SelectField
          label={texts.reason}
          options={options}
          data-autofocus
          {...form.getInputProps('reason')}
        />
        <TextAreaField label={texts.note} description={texts.noteHint} {...form.getInputProps('note')} />
      </Stack>
    </Dialog>
  )
}
