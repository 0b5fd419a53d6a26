import type { Car } from '@keyturn/contract/cars/calls.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { LinkButton } from '../../ui/frame/link.tsx'
import { Loaded } from '../../ui/lists/loaded.tsx'
import { useMyId } from '../../who/session.tsx'
import { useCarLink } from '../../wire/search.ts'
import { carsOfQuery } from '../queries.ts'

const texts = tradeTexts.dialog

/** The purchases that an accepted trade can go into: every car that the person is buying (R-trades-17). */
export function ContinuePurchases() {
  const me = useMyId()
  const opened = useCarLink()
  const cars = useQuery({
    ...carsOfQuery(me),
    select: (all) =>
      all.filter(
        (car) => car.sellerId !== me && car.status !== 'COMPLETED' && !car.soldElsewhere && !car.calledOff,
      ),
  })
  return (
    <Stack gap="xs">
      <Title order={3}>{texts.continueTitle}</Title>
      <Loaded from={cars} failed={texts.purchasesFailed} skeleton="lines" skeletonRows={1}>
        {(bought) =>
          bought.length > 0 ? (
            openedFirst(bought, opened.vin).map((car, place) => (
              <Continue
                key={car._id}
                car={car}
                isNext={place === 0 && (bought.length === 1 || car.vin === opened.vin)}
              />
            ))
          ) : (
            <Text c="dimmed">{texts.noPurchases}</Text>
          )
        }
      </Loaded>
    </Stack>
  )
}

/** The purchase that the trades were opened from comes first. */
const openedFirst = (cars: readonly Car[], vin: string | undefined) =>
  [...cars].sort((one, other) => Number(other.vin === vin) - Number(one.vin === vin))

function Continue({ car, isNext }: { car: Car; isNext: boolean }) {
  const { sellerId: userId, vin, year, make, carModel } = car
  return (
    <LinkButton to="/buyer" search={{ userId, vin }} variant={isNext ? 'filled' : 'default'}>
      {texts.continueWith(`${year} ${make} ${carModel}`)}
    </LinkButton>
  )
}
