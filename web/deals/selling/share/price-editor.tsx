import type { Car } from '@keyturn/contract/cars/calls.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { updatePrice } from '@keyturn/contract/deals/calls.ts'
import { termsTexts } from '@keyturn/contract/deals/terms-texts.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { useAct } from '../../../decide/act.ts'
import { DecisionNews } from '../../../decide/decision-news.tsx'
import { useFormAct } from '../../../decide/form-act.ts'
import { useDecision } from '../../../decide/use-decision.ts'
import { Money } from '../../../ui/deal/money-text.tsx'
import { FormActions } from '../../../ui/feedback/form-actions.tsx'
import { Notice, useBriefly } from '../../../ui/feedback/notice.tsx'
import { MoneyField } from '../../../ui/fields/money-field.tsx'
import { useDraft } from '../../../who/use-draft.ts'
import { priceOf, takeOverPrice, usePriceForm } from '../../price-form.ts'
import { FallingSignatures } from '../falling-signatures.tsx'
import { newsOfListing } from '../listing-news.ts'
import { useListing } from '../use-listing.ts'

const texts = carTexts.share
const { news } = dealTexts.home
const { falls } = termsTexts

/** The asking price, edited in place (R-deals-25). */
export function PriceEditor({ car }: { car: Car }) {
  const [isOpen, setOpen] = useState(false)
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
          <Money cents={car.price} unset={carTexts.toBeAgreed} size="xl" />
          <Button variant="default" onClick={() => setOpen(true)}>
            {texts.editPrice}
          </Button>
        </Group>
      )}
      {isUpdated && (
        <Notice kind="good" title={texts.priceUpdated}>
          {texts.priceUpdatedText}
        </Notice>
      )}
    </Stack>
  )
}

function PriceForm({ car, onClose, onSaved }: { car: Car; onClose: () => void; onSaved: () => void }) {
  const saving = useAct(updatePrice, { refresh: [['cars'], ['deals']], onDone: onSaved })
  // Pending requests take over the new price, which would overwrite their buyers' latest changes unseen.
  const { listing, failed } = useListing(car)
  const decision = useDecision({ by: saving, present: listing, newsOf: newsOfListing })
  const form = usePriceForm(car.price)
  useDraft(form, 'price')
  const { submit, trouble, forget } = useFormAct(form, (values) =>
    decision.act(({ car: { _id: carId, version } }) => ({
      params: { carId },
      body: { newPrice: priceOf(values), version },
    })),
  )
  const takeOver = () => {
    takeOverPrice(form, decision.read?.car.price ?? null, car.price)
    forget()
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <MoneyField
          label={texts.newPrice}
          description={texts.priceHint}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          autoFocus
          {...form.getInputProps('newPrice')}
        />
        <FallingSignatures requests={decision.read?.requests ?? []} saying={falls.theirs} />
        <DecisionNews
          of={decision}
          failed={failed}
          changed={news.changed}
          goOn={news.goOn}
          onGoOn={takeOver}
          refusal={trouble}
        />
        <Group justify="flex-end" gap="sm">
          <FormActions
            onCancel={onClose}
            busy={saving.isWorking}
            working={texts.saving}
            disabled={!decision.mayDecide}
          >
            {texts.savePrice}
          </FormActions>
        </Group>
      </Stack>
    </form>
  )
}
