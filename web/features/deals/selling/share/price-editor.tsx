import { type Car, updatePrice } from '@keyturn/contract/cars/endpoints.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { DecisionChanges } from '../../../../api/mutations/decision-changes.tsx'
import { useDecision } from '../../../../api/mutations/use-decision.ts'
import { useEndpointMutation } from '../../../../api/mutations/use-endpoint-mutation.ts'
import { useFormMutation } from '../../../../api/mutations/use-form-mutation.ts'
import { useDraft, useDraftNames } from '../../../../auth/use-draft.ts'
import { Money } from '../../../../components/display/money.tsx'
import { FormActions } from '../../../../components/feedback/form-actions.tsx'
import { Notice, useBriefly } from '../../../../components/feedback/notice.tsx'
import { WholeDollarField } from '../../../../components/fields/whole-number-field.tsx'
import { parsePrice, syncPriceField, usePriceForm } from '../../use-price-form.ts'
import { findListingChanges } from '../listing-changes.ts'
import { pendingRequests } from '../request-facts.ts'
import { useListing } from '../use-listing.ts'

const shareTexts = carTexts.share
const { news } = dealTexts.home

/** The asking price, edited in place (R-deals-25). */
export function PriceEditor({ car }: { car: Car }) {
  const [isOpen, setOpen] = useState(useDraftNames().includes('price'))
  const [isUpdated, sayUpdated] = useBriefly(3000)
  return (
    <Stack gap="md">
      {isOpen ? (
        <PriceForm
          car={car}
          onClose={() => setOpen(false)}
          onSaved={() => {
            setOpen(false)
            sayUpdated()
          }}
        />
      ) : (
        <Group justify="space-between">
          <div>
            <Text size="sm" c="dimmed">
              {shareTexts.priceLabel}
            </Text>
            <Money cents={car.price} unset={carTexts.toBeAgreed} size="xl" />
          </div>
          <Button variant="default" onClick={() => setOpen(true)}>
            {shareTexts.editPrice}
          </Button>
        </Group>
      )}
      {isUpdated && (
        <Notice kind="good" title={shareTexts.priceUpdated}>
          {shareTexts.priceUpdatedText}
        </Notice>
      )}
    </Stack>
  )
}

function PriceForm({ car, onClose, onSaved }: { car: Car; onClose: () => void; onSaved: () => void }) {
  const saving = useEndpointMutation(updatePrice, { refresh: [['cars'], ['deals']], onDone: onSaved })
  const { listing, failed } = useListing(car)
  const decision = useDecision({ by: saving, current: listing, newsOf: findListingChanges })
  const form = usePriceForm(car.price)
  useDraft(form, 'price')
  const { submit, trouble, clearError } = useFormMutation(form, (values) =>
    decision.act(({ car: { _id: carId, version } }) => ({
      params: { carId },
      body: { newPrice: parsePrice(values), version },
    })),
  )
  const takeOver = () => {
    syncPriceField(form, decision.read?.car.price ?? null, car.price)
    clearError()
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <WholeDollarField
          label={shareTexts.newPrice}
          description={shareTexts.priceHint}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          autoFocus
          {...form.getInputProps('newPrice')}
        />
        {pendingRequests(decision.read?.requests ?? []).length > 0 && (
          <Notice kind="info">{shareTexts.offersStay}</Notice>
        )}
        <DecisionChanges
          decision={decision}
          failed={failed}
          changed={news.changed}
          goOn={news.goOn}
          onGoOn={takeOver}
          error={trouble}
        />
        <Group justify="flex-end" gap="sm">
          <FormActions
            onCancel={onClose}
            busy={saving.isWorking}
            working={shareTexts.saving}
            disabled={!decision.mayDecide}
          >
            {shareTexts.savePrice}
          </FormActions>
        </Group>
      </Stack>
    </form>
  )
}
