import type { Car } from '@keyturn/contract/cars/calls.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { LinkButton } from '../../ui/frame/link.tsx'
import { Loaded } from '../../ui/lists/loaded.tsx'
import { useMyId } from '../../who/session.tsx'
import { carsOfQuery } from '../queries.ts'

const texts = tradeTexts.dialog

/** The purchases that an accepted trade can go into: every car that the person is buying (R-trades-17). */
export function ContinuePurchases() {
  const me = useMyId()
  const cars = useQuery({
    ...carsOfQuery(me),
    select: (all) => all.filter((car) => car.sellerId !== me && car.status !== 'COMPLETED'),
  })
  return (
    <Stack gap="xs">
      <Title order={3}>{texts.continueTitle}</Title>
      <Loaded from={cars} failed={texts.purchasesFailed} skeleton="lines" skeletonRows={1}>
        {(bought) =>
          bought.length > 0 ? (
            bought.map((car) => <Continue key={car._id} car={car} isOnly={bought.length === 1} />)
          ) : (
            <Text c="dimmed">{texts.noPurchases}</Text>
          )
        }
      </Loaded>
    </Stack>
  )
}

function Continue({ car, isOnly }: { car: Car; isOnly: boolean }) {
  const { sellerId: userId, vin, year, make, carModel } = car
  return (
    <LinkButton to="/buyer" search={{ userId, vin }} variant={isOnly ? 'filled' : 'default'}>
      {texts.continueWith(`${year} ${make} ${carModel}`)}
    </LinkButton>
  )
}
