import type { Car } from '@keyturn/contract/cars/calls.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { updatePrice } from '@keyturn/contract/deals/calls.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { Button, Group, Stack } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useAct } from '../../../decide/act.ts'
import { Behind } from '../../../decide/behind.tsx'
import { useFormAct } from '../../../decide/form-act.ts'
import { Money } from '../../../ui/deal/money-text.tsx'
import { Notice, useBriefly } from '../../../ui/feedback/notice.tsx'
import { Trouble } from '../../../ui/feedback/trouble.tsx'
import { WorkButton } from '../../../ui/feedback/work-button.tsx'
import { MoneyField } from '../../../ui/fields/money-field.tsx'
import { priceOf, takeOverPrice, usePriceForm } from '../../price-form.ts'
import { useListingSeen } from '../use-listing-seen.ts'

const texts = carTexts.share
const { home } = dealTexts

/** The asking price, changed where it stands (R-deals-25). */
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
  // Requests that wait take the new price over: what their buyers have changed meanwhile would be lost unseen.
  const { shown, changes, isStale, failed, catchUp } = useListingSeen(car, saving.mayBeDone)
  const form = usePriceForm(car.price)
  const { submit, trouble, forget } = useFormAct(form, async (values) => {
    if (!shown || isStale) return
    const { _id: carId, version } = shown.car
    await saving.act({ params: { carId }, body: { newPrice: priceOf(values), version } })
  })
  const goOn = () => {
    takeOverPrice(form, shown?.car.price ?? null, car.price)
    catchUp()
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
          maxLength={12}
          {...form.getInputProps('newPrice')}
        />
        {news()}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose} disabled={saving.isWorking}>
            {texts.cancel}
          </Button>
          <WorkButton
            type="submit"
            busy={saving.isWorking}
            working={texts.saving}
            disabled={!shown || isStale}
          >
            {texts.savePrice}
          </WorkButton>
        </Group>
      </Stack>
    </form>
  )

  function news(): ReactNode {
    if (failed) return <Trouble onRetry={() => failed.refetch()}>{failed.error?.message}</Trouble>
    if (isStale)
      return <Behind title={home.news.changed} changes={changes} goOn={home.news.goOn} onGoOn={goOn} />
    return trouble && <Trouble>{trouble.message}</Trouble>
  }
}
