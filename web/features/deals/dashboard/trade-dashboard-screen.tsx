import type { Car } from '@keyturn/contract/cars/endpoints.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { termsTexts } from '@keyturn/contract/deals/terms-texts.ts'
import { wizardTexts } from '@keyturn/contract/deals/wizard-texts.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useCarSearch } from '../../../api/search-params.ts'
import { useMyId } from '../../../auth/session.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { QueryContent } from '../../../components/lists/query-content.tsx'
import { BackLink, LinkButton } from '../../../components/navigation/link.tsx'
import { type DeletedTrade, DeleteTradeDialog } from '../../trades/owner/delete-trade-dialog.tsx'
import { TradeUseNotice } from '../../trades/owner/trade-use-notice.tsx'
import { TradesScreen } from '../../trades/owner/trades-screen.tsx'
import { LoanWarning, useRequestOf } from '../loan-warning.tsx'
import { carsOfUserQuery } from '../queries.ts'
import { rowState } from './row-state.ts'

const falls = termsTexts.falls
const texts = tradeTexts.dialog

/** /trade: the person's trades, and the purchases that can use them. */
export function TradeDashboardScreen() {
  const { userId, vin } = useCarSearch()
  return (
    <TradesScreen
      purchases={<ContinuePurchaseLinks />}
      DeleteDialog={DeleteRequestedTradeDialog}
      LoanWarning={LoanWarning}
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

/** Links to the purchases that can use an accepted trade (R-trades-17). */
function ContinuePurchaseLinks() {
  const me = useMyId()
  const opened = useCarSearch()
  const cars = useQuery({
    ...carsOfUserQuery(me),
    select: (all) => all.filter((car) => car.sellerId !== me && !rowState(car, 'BUYER').isOver),
  })
  return (
    <Stack gap="xs">
      <Title order={3}>{texts.continueTitle}</Title>
      <QueryContent from={cars} failed={texts.purchasesFailed} skeleton="lines" skeletonRows={1}>
        {(bought) =>
          bought.length > 0 ? (
            sortOpenedFirst(bought, opened.vin).map((car, place) => (
              <ContinueLink
                key={car._id}
                car={car}
                isNext={place === 0 && (bought.length === 1 || car.vin === opened.vin)}
              />
            ))
          ) : (
            <Text c="dimmed">{texts.noPurchases}</Text>
          )
        }
      </QueryContent>
    </Stack>
  )
}

const sortOpenedFirst = (cars: readonly Car[], vin: string | undefined) =>
  [...cars].sort((one, other) => Number(other.vin === vin) - Number(one.vin === vin))

function ContinueLink({ car, isNext }: { car: Car; isNext: boolean }) {
  const { sellerId: userId, vin, year, make, carModel } = car
  return (
    <LinkButton to="/buyer" search={{ userId, vin }} variant={isNext ? 'filled' : 'default'}>
      {texts.continueWith(`${year} ${make} ${carModel}`)}
    </LinkButton>
  )
}

/**
 * Deletes a trade after showing its effect on a request and its signatures (R-deals-56). A trade of
 * a confirmed or completed purchase stays, and the dialog leads to that purchase (R-trades-15).
 */
function DeleteRequestedTradeDialog(deleted: DeletedTrade) {
  const trade = deleted.current ?? deleted.trade
  const usedFor = trade.usedFor ?? null
  const isRequested = usedFor?.use === 'REQUESTED'
  const request = useRequestOf(trade)
  const isInPurchase = usedFor !== null && !isRequested
  const failed = request.isError && request.data === undefined ? request : null
  return (
    <DeleteTradeDialog {...deleted} failed={failed} isInPurchase={isInPurchase}>
      {isInPurchase ? (
        <TradeUseNotice trade={trade}>{texts.notDeletable}</TradeUseNotice>
      ) : isRequested ? (
        request.data && <RequestNotice of={request.data} />
      ) : null}
    </DeleteTradeDialog>
  )
}

function RequestNotice({ of: { carDetails, buyerSigned } }: { of: Progress }) {
  return (
    <Notice kind="waiting">
      <p>{falls.trade(carName(carDetails))}</p>
      {buyerSigned && <p>{falls.tradeSigned}</p>}
    </Notice>
  )
}
