import type { Car } from '@keyturn/contract/cars/calls.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { hasWords, SaidWords } from '../../../cars/car-card.tsx'
import { pathToPage } from '../../../cars/use-invitation.ts'
import { Card } from '../../../ui/frame/card.tsx'
import { PriceEditor } from './price-editor.tsx'
import { WordsForm } from './words-form.tsx'

const { words: texts } = carTexts

/** The price and the seller's own words, and the page as the buyer sees it; photos and details stand right below (R-cars-29). */
export const ListingCard = ({ car }: { car: Car }) => (
  <Card
    title={texts.title}
    action={
      <Button component="a" href={pathToPage(car)} variant="default" size="sm" data-leaves>
        {texts.see}
      </Button>
    }
  >
    <Stack gap="lg">
      <div>
        <Text size="sm" c="dimmed">
          {carTexts.share.priceLabel}
        </Text>
        <PriceEditor car={car} />
      </div>
      <Words car={car} />
    </Stack>
  </Card>
)

function Words({ car }: { car: Car }) {
  const [isOpen, setOpen] = useState(false)
  if (isOpen) return <WordsForm car={car} onClose={() => setOpen(false)} />
  const isSaid = hasWords(car)
  return (
    <Stack gap="md" align="flex-start">
      {isSaid ? <SaidWords car={car} /> : <Text c="dimmed">{texts.empty}</Text>}
      <Button variant="default" onClick={() => setOpen(true)}>
        {isSaid ? texts.edit : texts.describe}
      </Button>
    </Stack>
  )
}
