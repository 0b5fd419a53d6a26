import type { Car } from '@keyturn/contract/cars/endpoints.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useDraftNames } from '../../../../auth/use-draft.ts'
import { Card } from '../../../../components/layout/card.tsx'
import { hasDetails, SellerDescription } from '../../../cars/car-card.tsx'
import { pathToCarPage } from '../../../cars/use-invitation.ts'
import { OptionalDetailsForm } from './optional-details-form.tsx'

const { words: texts } = carTexts

/** The seller's description, with a link to the public page (R-cars-29). */
export const DescriptionCard = ({ car }: { car: Car }) => (
  <Card
    title={texts.title}
    action={
      <Button component="a" href={pathToCarPage(car)} variant="default" size="sm" data-leaves>
        {texts.see}
      </Button>
    }
  >
    <Words car={car} />
  </Card>
)

function Words({ car }: { car: Car }) {
  const [isOpen, setOpen] = useState(useDraftNames().includes('words'))
  if (isOpen) return <OptionalDetailsForm car={car} onClose={() => setOpen(false)} />
  const isSaid = hasDetails(car)
  return (
    <Stack gap="md" align="flex-start">
      {isSaid ? <SellerDescription car={car} /> : <Text c="dimmed">{texts.empty}</Text>}
      <Button variant="default" onClick={() => setOpen(true)}>
        {isSaid ? texts.edit : texts.describe}
      </Button>
    </Stack>
  )
}
