import type { Car } from '@keyturn/contract/cars/endpoints.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { sellingTexts } from '@keyturn/contract/deals/selling-texts.ts'
import { Button, Text } from '@mantine/core'
import { useId } from 'react'
import { Card } from '../../../components/layout/card.tsx'
import { CarFacts } from '../../cars/car-card.tsx'

type CarDetailsProps = {
  car: Car
  onEdit?: () => void
  /** Why nothing can be changed for now. */
  fixed?: string
}

export function CarDetailsCard({ car, onEdit, fixed }: CarDetailsProps) {
  const reason = useId()
  return (
    <Card
      title={sellingTexts.carDetails}
      action={
        (onEdit || fixed) && (
          <Button
            variant="default"
            size="sm"
            disabled={fixed !== undefined}
            aria-describedby={fixed && reason}
            onClick={onEdit}
          >
            {carTexts.edit.open}
          </Button>
        )
      }
    >
      {fixed && (
        <Text id={reason} size="sm" c="dimmed">
          {fixed}
        </Text>
      )}
      <CarFacts
        car={car}
        more={[
          { term: carTexts.facts.zipCode, value: car.zipCode },
          { term: carTexts.facts.message, value: car.message },
        ]}
      />
    </Card>
  )
}
