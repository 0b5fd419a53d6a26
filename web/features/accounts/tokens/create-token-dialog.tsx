import { tokenLifetimeDays } from '@keyturn/contract/accounts/rules.ts'
import { scopeTexts, tokenTexts as texts } from '@keyturn/contract/accounts/token-texts.ts'
import { createToken } from '@keyturn/contract/accounts/tokens.ts'
import { type Scope, scopes } from '@keyturn/contract/shared/endpoint.ts'
import { Checkbox, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { QueryKey } from '@tanstack/react-query'
import { useEndpointMutation } from '../../../api/mutations/use-endpoint-mutation.ts'
import { useFormMutation } from '../../../api/mutations/use-form-mutation.ts'
import { Dialog } from '../../../components/feedback/dialog.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { FormActions } from '../../../components/feedback/form-actions.tsx'
import { ShowOnceDialog } from '../../../components/feedback/show-once-dialog.tsx'
import { formOptions } from '../../../components/fields/form.ts'
import { SelectField } from '../../../components/fields/select-field.tsx'
import { TextField } from '../../../components/fields/text-field.tsx'
import { useCurrentPassword } from '../use-current-password.tsx'

const lifetimes = [7, 30, tokenLifetimeDays.preset, 180, tokenLifetimeDays.max]

type CreateTokenDialogProps = { refresh: readonly QueryKey[]; onClose: () => void }

/** Creates a token and then shows it, this once (R-accounts-68). */
export function CreateTokenDialog({ refresh, onClose }: CreateTokenDialogProps) {
  const form = useForm(
    formOptions(createToken.body, {
      name: '',
      scopes: [] as Scope[],
      days: tokenLifetimeDays.preset as number,
    }),
  )
  const create = useEndpointMutation(createToken, { refresh })
  const password = useCurrentPassword(createToken)
  const { submit, trouble } = useFormMutation(form, (body) =>
    password.sendWith((given) => create.act({ body: { ...body, ...given } })),
  )
  if (create.done)
    return (
      <ShowOnceDialog
        title={texts.doneTitle}
        lead={texts.doneLead}
        label={texts.token}
        value={create.done.token}
        texts={texts}
        onClose={onClose}
      />
    )
  return (
    <Dialog
      title={texts.dialogTitle}
      onClose={onClose}
      onSubmit={submit}
      busy={create.isWorking}
      trouble={trouble && <Failure sentence={texts.createFailed} fault={trouble} />}
      actions={
        <FormActions busy={create.isWorking} onCancel={onClose}>
          {texts.submit}
        </FormActions>
      }
    >
      <Stack>
        <TextField
          label={texts.name}
          description={texts.nameHint}
          autoComplete="off"
          {...form.getInputProps('name')}
        />
        <Checkbox.Group label={texts.scopes} errorProps={{ mt: 'xs' }} {...form.getInputProps('scopes')}>
          <Stack gap="sm" mt="xs">
            {scopes.map((scope) => (
              <Checkbox key={scope} value={scope} label={scope} description={scopeTexts[scope]} />
            ))}
          </Stack>
        </Checkbox.Group>
        <SelectField
          label={texts.days}
          options={lifetimes.map((days) => ({ value: String(days), label: texts.dayCount(days) }))}
          value={String(form.getValues().days)}
          onChange={(event) => form.setFieldValue('days', Number(event.currentTarget.value))}
        />
        {password.field}
      </Stack>
    </Dialog>
  )
}
