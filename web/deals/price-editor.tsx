import type { Car } from '@keyturn/contract/cars/calls.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { updatePrice } from '@keyturn/contract/deals/calls.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { formatUsd } from '@keyturn/contract/kit/money.ts'
import { Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { useAct } from '../act.ts'
import { useFormAct } from '../form-act.ts'
import { MoneyField } from '../ui/money-field.tsx'
import { Money } from '../ui/money-text.tsx'
import { Notice, useBriefly } from '../ui/notice.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { WorkButton } from '../ui/work-button.tsx'
import { priceOf, usePriceForm } from './price-form.ts'

const texts = carTexts.share

/** The asking price, changed where it stands (1 s4). */
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
  const form = usePriceForm(car.price)
  const [before] = useState(car.price)
  const saving = useAct(updatePrice, { refresh: [['cars'], ['deals']], onDone: onSaved })
  const { submit, trouble } = useFormAct(form, (values) =>
    saving.act({ params: { carId: car._id }, body: { newPrice: priceOf(values), version: car.version } }),
  )
  const moved = car.price !== before && !saving.isWorking ? car.price : null
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <MoneyField
          label={texts.newPrice}
          description={texts.priceHint}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          autoFocus
          maxLength={12}
          {...form.getInputProps('newPrice')}
        />
        {trouble && (
          <Trouble>
            {trouble.message} {moved !== null && dealTexts.seller.priceChangedMeanwhile(formatUsd(moved))}
          </Trouble>
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose} disabled={saving.isWorking}>
            {texts.cancel}
          </Button>
          <WorkButton type="submit" busy={saving.isWorking} working={texts.saving}>
            {texts.savePrice}
          </WorkButton>
        </Group>
      </Stack>
    </form>
  )
}
