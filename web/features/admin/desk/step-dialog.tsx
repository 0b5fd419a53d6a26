import { answerFromDesk, type DeskReport, deskReport } from '@keyturn/contract/dealers/dealer-desk.ts'
import { deskTexts as texts } from '@keyturn/contract/dealers/dealer-desk-texts.ts'
import type { DealerStepName } from '@keyturn/contract/deals/rules.ts'
import { Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useEndpointMutation } from '../../../api/mutations/use-endpoint-mutation.ts'
import { useFormMutation } from '../../../api/mutations/use-form-mutation.ts'
import { Dialog } from '../../../components/feedback/dialog.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { FormActions } from '../../../components/feedback/form-actions.tsx'
import { createValidator } from '../../../components/fields/form.ts'
import { TextAreaField, TextField } from '../../../components/fields/text-field.tsx'
import { deskKey } from './queries.ts'
import { addLocalOffset } from './wall-time.ts'

type Details = { document: string; place: string; time: string; reason: string }
const empty: Details = { document: '', place: '', time: '', reason: '' }

type StepDialogProps = { step: DealerStepName; pkgId: string; onClose: () => void }

/** A dialog that reports one step of a deal, with its details, to both sides. */
export function StepDialog({ step, pkgId, onClose }: StepDialogProps) {
  const { act, isWorking } = useEndpointMutation(answerFromDesk, {
    refresh: [deskKey],
    success: texts.said[step],
    onDone: onClose,
  })
  const form = useForm<Details>({
    mode: 'controlled',
    initialValues: empty,
    validate: (details) => {
      const faults = createValidator(deskReport)(reportOf(step, pkgId, details))
      return faults.time ? { ...faults, time: texts.fields.noTime } : faults
    },
  })
  const { submit, trouble } = useFormMutation(form, (details) =>
    act({ params: { pkgId }, body: reportOf(step, pkgId, details) }),
  )
  const { name, tells } = texts.steps[step]
  return (
    <Dialog
      title={name}
      onClose={onClose}
      onSubmit={submit}
      busy={isWorking}
      size="sm"
      focusInside={hasFields(step)}
      trouble={trouble && <Failure sentence={trouble.message} fault={trouble} />}
      actions={
        <FormActions onCancel={onClose} busy={isWorking} danger={step === 'cancelled'}>
          {name}
        </FormActions>
      }
    >
      <Stack gap="md">
        <Text>{tells}</Text>
        {step === 'needsDocument' && (
          <TextAreaField label={texts.fields.document} data-autofocus {...form.getInputProps('document')} />
        )}
        {step === 'appointment' && (
          <>
            <TextField label={texts.fields.place} data-autofocus {...form.getInputProps('place')} />
            <TextField
              type="datetime-local"
              label={texts.fields.time}
              description={texts.fields.timeHint}
              {...form.getInputProps('time')}
            />
          </>
        )}
        {step === 'cancelled' && (
          <TextAreaField label={texts.fields.reason} data-autofocus {...form.getInputProps('reason')} />
        )}
      </Stack>
    </Dialog>
  )
}

const hasFields = (step: DealerStepName) => ['needsDocument', 'appointment', 'cancelled'].includes(step)

function reportOf(step: DealerStepName, pkgId: string, details: Details): DeskReport {
  switch (step) {
    case 'needsDocument':
      return { pkgId, step, document: details.document }
    case 'appointment':
      return { pkgId, step, place: details.place, time: addLocalOffset(details.time) }
    case 'cancelled':
      return { pkgId, step, reason: details.reason }
    default:
      return { pkgId, step }
  }
}
