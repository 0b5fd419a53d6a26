import { deskTexts } from '@keyturn/contract/dealers/dealer-desk-texts.ts'
import {
  addDealer,
  type Dealer,
  type DealerForm,
  editDealer,
  testDealer,
} from '@keyturn/contract/dealers/endpoints.ts'
import { dealersTexts } from '@keyturn/contract/dealers/texts.ts'
import { Button, Checkbox, Group, Stack, Text, type TextInputProps } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useEndpointMutation } from '../../api/mutations/use-endpoint-mutation.ts'
import { useFormMutation } from '../../api/mutations/use-form-mutation.ts'
import { administratorKey } from '../../auth/remembered-person.ts'
import { StatusBadge } from '../../components/display/status-badge.tsx'
import { Dialog } from '../../components/feedback/dialog.tsx'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { FormActions } from '../../components/feedback/form-actions.tsx'
import { announce } from '../../components/feedback/notice.tsx'
import { WorkButton } from '../../components/feedback/work-button.tsx'
import { formOptions } from '../../components/fields/form.ts'
import { TextAreaField, TextField } from '../../components/fields/text-field.tsx'
import { ListTable } from '../../components/lists/list-table.tsx'
import { QueryContent } from '../../components/lists/query-content.tsx'
import { OperatorOnly } from './administrators/operator-only.tsx'
import { hasSystem } from './delivery-moves.ts'
import { ListSection } from './list-section.tsx'
import classes from './mailbox.module.css'
import { dealersQuery } from './queries.ts'

const texts = dealersTexts.list
const fields = texts.fields

/** The dealers that receive deals, and the rule that chooses one (R-deals-73). */
export function DealersCard() {
  const dealers = useQuery(dealersQuery)
  const [open, setOpen] = useState<Dealer | 'new' | null>(null)
  return (
    <ListSection
      title={texts.title}
      lead={texts.rule}
      action={
        <OperatorOnly>
          <Button onClick={() => setOpen('new')}>{texts.add}</Button>
        </OperatorOnly>
      }
    >
      <QueryContent from={dealers} failed={texts.failed} skeletonRows={2}>
        {(list) => (
          <ListTable
            label={texts.title}
            rows={list}
            columns={[
              { header: texts.columns.name, kind: 'title', cell: ({ name }) => name },
              {
                header: texts.columns.areas,
                cell: ({ areas }) => (areas.length > 0 ? areas.join(', ') : texts.noAreas),
              },
              {
                header: texts.columns.reached,
                cell: (dealer) => <span className={classes.address}>{waysOf(dealer)}</span>,
              },
              { header: texts.columns.state, cell: (dealer) => <State dealer={dealer} /> },
              {
                header: texts.columns.actions,
                kind: 'action',
                cell: (dealer) => (
                  <OperatorOnly>
                    <Actions dealer={dealer} onEdit={() => setOpen(dealer)} />
                  </OperatorOnly>
                ),
              },
            ]}
          />
        )}
      </QueryContent>
      {open && <DealerDialog dealer={open === 'new' ? null : open} onClose={() => setOpen(null)} />}
    </ListSection>
  )
}

function waysOf({ webhookUrl, email, isDefault }: Dealer): string {
  const system = webhookUrl ? texts.ways.webhook : isDefault && deskTexts.title
  const ways = [system, email && texts.ways.mail].filter((way) => Boolean(way))
  return ways.join(', ') || texts.ways.none
}

function State({ dealer: { active, isDefault, parked } }: { dealer: Dealer }) {
  return (
    <Stack gap={4} align="flex-start">
      <StatusBadge
        status={active ? 'ACCEPTED' : 'REJECTED'}
        label={active ? (isDefault ? texts.isDefault : texts.active) : texts.inactive}
      />
      {parked > 0 && (
        <Text size="sm" fw={600}>
          {texts.parked(parked)}
        </Text>
      )}
    </Stack>
  )
}

function Actions({ dealer, onEdit }: { dealer: Dealer; onEdit: () => void }) {
  const { name } = dealer
  const test = useEndpointMutation(testDealer, {
    refresh: [[...administratorKey, 'deliveries']],
    onDone: ({ state }) => state === 'DELIVERED' && announce(texts.testTaken(name)),
  })
  const because = test.done?.tries[0]?.because
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Button variant="default" aria-label={texts.of(texts.edit, name)} onClick={onEdit}>
          {texts.edit}
        </Button>
        {hasSystem(dealer) && (
          <WorkButton
            variant="default"
            aria-label={texts.of(texts.test, name)}
            onClick={() => test.attempt({ params: { dealerId: dealer._id } })}
          >
            {texts.test}
          </WorkButton>
        )}
      </Group>
      {!hasSystem(dealer) && (
        <Text size="sm" c="dimmed">
          {texts.noTest}
        </Text>
      )}
      {test.error && <ErrorNotice>{test.error.message}</ErrorNotice>}
      {because && <ErrorNotice>{texts.testFailed(name, because)}</ErrorNotice>}
    </Stack>
  )
}

type DealerDialogProps = { dealer: Dealer | null; onClose: () => void }

/** The default dealer comes from the server configuration; only its areas can be edited. */
function DealerDialog({ dealer, onClose }: DealerDialogProps) {
  const refresh = [administratorKey]
  const adding = useEndpointMutation(addDealer, { refresh })
  const editing = useEndpointMutation(editDealer, { refresh })
  const form = useForm<DealerForm>(formOptions(addDealer.body, valuesOf(dealer)))
  const { submit, trouble } = useFormMutation(form, async (typed) => {
    await (dealer
      ? editing.act({ params: { dealerId: dealer._id }, body: { ...typed, version: dealer.version } })
      : adding.act({ body: typed }))
    announce(texts.saved(typed.name))
    onClose()
  })
  const isDefault = dealer?.isDefault === true
  const field = (name: Exclude<keyof DealerForm, 'active'>, more: Partial<TextInputProps> = {}) => (
    <TextField
      {...more}
      label={fields[name]}
      optional
      autoComplete="off"
      spellCheck={name === 'hours'}
      {...form.getInputProps(name)}
    />
  )
  return (
    <Dialog
      title={dealer ? texts.editTitle(dealer.name) : texts.addTitle}
      onClose={onClose}
      onSubmit={submit}
      busy={adding.isWorking || editing.isWorking}
      trouble={trouble && <ErrorNotice>{trouble.message}</ErrorNotice>}
      actions={
        <FormActions onCancel={onClose} busy={adding.isWorking || editing.isWorking}>
          {texts.save}
        </FormActions>
      }
    >
      <Stack>
        {isDefault && <Text>{texts.fromServer}</Text>}
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
            {field('webhookUrl', { description: fields.webhookHint, type: 'url' })}
            {field('webhookSecrets', {
              description: dealer && dealer.keys > 0 ? fields.keysThere(dealer.keys) : fields.noKeys,
            })}
            <Button variant="subtle" onClick={() => form.setFieldValue('webhookSecrets', newKey())}>
              {fields.makeKey}
            </Button>
            {field('email', { description: fields.emailHint, type: 'email' })}
            {field('phone', { type: 'tel' })}
            {field('hours')}
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

/** Generates a key for the dealer. It is shown only now, because no endpoint returns it later. */
const newKey = (): string =>
  `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`
