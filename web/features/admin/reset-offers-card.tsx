import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { formatDate } from '@keyturn/contract/shared/dates.ts'
import { moveTrade, type Trade } from '@keyturn/contract/trades/endpoints.ts'
import { possibleTradeMoves } from '@keyturn/contract/trades/rules.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { Stack } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEndpointMutation } from '../../api/mutations/use-endpoint-mutation.ts'
import { Money } from '../../components/display/money.tsx'
import { Vin } from '../../components/display/vin.tsx'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { WorkButton } from '../../components/feedback/work-button.tsx'
import type { Column } from '../../components/lists/list-table.tsx'
import { PagedTable } from '../../components/lists/paged-table.tsx'
import { rejectedTradesQuery } from '../trades/queries.ts'
import { OperatorOnly } from './administrators/operator-only.tsx'
import { focusTitleAround } from './list-section.tsx'

const texts = tradeTexts.reset

/** Lets the administrator return a rejected trade to the wholesalers (R-trades-5). */
export function ResetOffersCard() {
  const rejected = useInfiniteQuery(rejectedTradesQuery)
  return (
    <PagedTable
      from={rejected}
      failed={texts.failed}
      empty={texts.empty}
      emptyPicture="trades"
      skeletonRows={2}
      label={texts.title}
      columns={columns}
    />
  )
}

function Reset({ trade }: { trade: Trade }) {
  const reset = useEndpointMutation(moveTrade, {
    refresh: [rejectedTradesQuery.queryKey, ['trades']],
    success: `${tradeTexts.events.reset}: ${carName(trade)}`,
  })
  const mayReset = possibleTradeMoves(trade.status, 'ADMIN').some(({ name }) => name === 'reset')
  return (
    <Stack gap="xs">
      {mayReset && (
        <WorkButton
          variant="default"
          aria-label={tradeTexts.dashboard.of(tradeTexts.dialog.reset, carName(trade))}
          working={texts.resetting}
          onClick={({ currentTarget }) =>
            reset
              .attempt({
                params: { tradeId: trade._id },
                body: { status: 'PENDING', version: trade.version },
              })
              .then(focusTitleAround(currentTarget))
          }
        >
          {tradeTexts.dialog.reset}
        </WorkButton>
      )}
      {reset.error && <ErrorNotice>{reset.error.message}</ErrorNotice>}
    </Stack>
  )
}

const columns: Column<Trade>[] = [
  { header: texts.columns.car, kind: 'title', cell: carName },
  { header: texts.columns.vin, cell: (trade) => <Vin value={trade.vin} /> },
  { header: texts.columns.owner, cell: ({ buyer }) => buyer && fullName(buyer) },
  {
    header: texts.columns.price,
    kind: 'number',
    cell: (trade) => <Money cents={trade.counteredOffer ?? trade.price} />,
  },
  { header: texts.columns.since, cell: ({ movedAt }) => formatDate(movedAt) },
  {
    header: texts.columns.actions,
    kind: 'action',
    cell: (trade) => (
      <OperatorOnly>
        <Reset trade={trade} />
      </OperatorOnly>
    ),
  },
]
