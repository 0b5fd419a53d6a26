import type { Car } from '@keyturn/contract/cars/endpoints.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { getProgress } from '@keyturn/contract/deals/endpoints.ts'
import { isPending } from '@keyturn/contract/deals/rules.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { termsTexts } from '@keyturn/contract/deals/terms-texts.ts'
import { wizardTexts } from '@keyturn/contract/deals/wizard-texts.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { Stack, Text, Title } from '@mantine/core'
import { useQueries, useQuery } from '@tanstack/react-query'
import { hasErrorCode } from '../../../api/errors.ts'
import { useCarLink } from '../../../api/search.ts'
import { useMyId } from '../../../auth/session.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { Loaded } from '../../../components/lists/loaded.tsx'
import { BackLink, LinkButton } from '../../../components/navigation/link.tsx'
import { type DeletedTrade, DeleteTradeDialog } from '../../trades/owner/delete-trade-dialog.tsx'
import { TradesScreen } from '../../trades/owner/trades-screen.tsx'
import { carsOfQuery, progressQuery } from '../queries.ts'
import { rowState } from './row-state.ts'

const falls = termsTexts.falls
const texts = tradeTexts.dialog

/**
 * /trade: combines trades with the purchases that can use them, and leads back to the purchase it
 * was opened from.
 */
export function TradeDashboardScreen() {
  const { userId, vin } = useCarLink()
  return (
    <TradesScreen
      purchases={<ContinuePurchases />}
      DeleteDialog={DeleteTradeInRequest}
      back={
        userId &&
        vin && (
          <BackLink to="/buyer" search={{ userId, vin }}>
            {wizardTexts.trade.backToPurchase}
          </BackLink>
        )
      }
    />
  )
}

/** The purchases that an accepted trade can go into: every car that the person is buying (R-trades-17). */
function ContinuePurchases() {
  const me = useMyId()
  const opened = useCarLink()
  const cars = useQuery({
    ...carsOfQuery(me),
    select: (all) => all.filter((car) => car.sellerId !== me && !rowState(car, 'BUYER').isOver),
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

/** Deletes a trade after showing its effect on a request and its signatures (R-deals-56). */
function DeleteTradeInRequest(deleted: DeletedTrade) {
  const { holding, isRead, failed } = useRequestWith(deleted.trade.vin)
  return (
    <DeleteTradeDialog {...deleted} failed={failed}>
      {isRead ? holding && <Part of={holding} /> : undefined}
    </DeleteTradeDialog>
  )
}

function Part({ of: { carDetails, buyerSigned } }: { of: Progress }) {
  return (
    <Notice kind="waiting">
      <p>{falls.trade(carName(carDetails))}</p>
      {buyerSigned && <p>{falls.tradeSigned}</p>}
    </Notice>
  )
}

/** Returns the pending request that contains a trade, or null; waits until all are loaded. */
function useRequestWith(tradeVin: string) {
  const me = useMyId()
  const purchases = useQuery({
    ...carsOfQuery(me),
    select: (all) => all.filter(({ sellerId, status }) => sellerId !== me && isPending(status)),
  })
  const progresses = useQueries({
    queries: (purchases.data ?? []).map(({ sellerId, vin }) => progressQuery(sellerId, vin)),
  })
  // A purchase that has ended in the meantime contains no trade.
  const asked = progresses.filter(({ error }) => !hasErrorCode(error, getProgress, 'NotFound'))
  return {
    holding: asked.find(({ data }) => data?.requestTradeVins.includes(tradeVin))?.data ?? null,
    isRead: purchases.data !== undefined && asked.every(({ data }) => data !== undefined),
    failed: [purchases, ...asked].find(({ data, isError }) => isError && data === undefined) ?? null,
  }
}
