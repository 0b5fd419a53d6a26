import {
  addDealer,
  type Dealer,
  type DealerForm,
  editDealer,
} from '@keyturn/contract/deals/dealers/dealers.ts'
import { dealersTexts } from '@keyturn/contract/deals/dealers/dealers-texts.ts'
import { Button, Checkbox, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useAct } from '../decide/act.ts'
import { useFormAct } from '../decide/form-act.ts'
import { Dialog } from '../ui/feedback/dialog.tsx'
import { FormActions } from '../ui/feedback/form-actions.tsx'
import { announce } from '../ui/feedback/notice.tsx'
import { Trouble } from '../ui/feedback/trouble.tsx'
import { formOf } from '../ui/fields/form.ts'
import { TextAreaField, TextField } from '../ui/fields/text-field.tsx'
import { administratorKey } from '../who/person.ts'

const texts = dealersTexts.list
const fields = texts.fields

type DealerDialogProps = { dealer: Dealer | null; onClose: () => void }

/** Adds a dealer, or edits one; of the default one only its areas, for the rest is in the settings. */
export function DealerDialog({ dealer, onClose }: DealerDialogProps) {
  const refresh = [administratorKey]
  const adding = useAct(addDealer, { refresh })
  const editing = useAct(editDealer, { refresh })
  const form = useForm<DealerForm>(formOf(addDealer.body, valuesOf(dealer)))
  const { submit, trouble } = useFormAct(form, async (typed) => {
    await (dealer
      ? editing.act({ params: { dealerId: dealer._id }, body: { ...typed, version: dealer.version } })
      : adding.act({ body: typed }))
    announce(texts.saved(typed.name))
    onClose()
  })
  const isDefault = dealer?.isDefault === true
  return (
    <Dialog
      title={dealer ? texts.editTitle(dealer.name) : texts.addTitle}
      onClose={onClose}
      onSubmit={submit}
      busy={adding.isWorking || editing.isWorking}
      trouble={trouble && <Trouble>{trouble.message}</Trouble>}
      actions={
        <FormActions onCancel={onClose} busy={adding.isWorking || editing.isWorking}>
          {texts.save}
        </FormActions>
      }
    >
      <Stack>
        {isDefault && <Text>{texts.fromSettings}</Text>}
        {!isDefault && <TextField label={fields.name} {...form.getInputProps('name')} />}
        <TextAreaField
          label={fields.areas}
          description={fields.areasHint}
          optional
          minRows={1}
          {...form.getInputProps('areas')}
        />
        {!isDefault && (
          <>
            <TextField
              label={fields.webhookUrl}
              description={fields.webhookHint}
              optional
              type="url"
              autoComplete="off"
              spellCheck={false}
              {...form.getInputProps('webhookUrl')}
            />
            <TextField
              label={fields.webhookSecrets}
              description={dealer && dealer.keys > 0 ? fields.keysThere(dealer.keys) : fields.noKeys}
              optional
              autoComplete="off"
              spellCheck={false}
              {...form.getInputProps('webhookSecrets')}
            />
            <Button variant="subtle" onClick={() => form.setFieldValue('webhookSecrets', newKey())}>
              {fields.makeKey}
            </Button>
            <TextField
              label={fields.email}
              description={fields.emailHint}
              optional
              type="email"
              autoComplete="off"
              {...form.getInputProps('email')}
            />
            <TextField
              label={fields.phone}
              optional
              type="tel"
              autoComplete="off"
              {...form.getInputProps('phone')}
            />
            <TextField label={fields.hours} optional autoComplete="off" {...form.getInputProps('hours')} />
            <Checkbox label={fields.active} {...form.getInputProps('active', { type: 'checkbox' })} />
          </>
        )}
      </Stack>
    </Dialog>
  )
}

const valuesOf = (dealer: Dealer | null): DealerForm => ({
  name: dealer?.name ?? '',
  areas: dealer?.areas.join(', ') ?? '',
  webhookUrl: dealer?.webhookUrl ?? '',
  webhookSecrets: '',
  email: dealer?.email ?? '',
  phone: dealer?.phone ?? '',
  hours: dealer?.hours ?? '',
  active: dealer?.active ?? true,
})

/** Shown here once, for the dealer: no call answers it later. */
const newKey = (): string =>
  `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`
