import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { suspensionTexts } from '@keyturn/contract/accounts/suspension-texts.ts'
import type { Car } from '@keyturn/contract/cars/endpoints.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { mayMove } from '@keyturn/contract/deals/may-move.ts'
import { sellingTexts as texts } from '@keyturn/contract/deals/selling-texts.ts'
import type { Request } from '@keyturn/contract/deals/shapes.ts'
import { formatDateTime } from '@keyturn/contract/shared/dates.ts'
import { formatUsd } from '@keyturn/contract/shared/money.ts'
import { Box, Button, Group, Text } from '@mantine/core'
import { Money } from '../../../../components/display/money.tsx'
import { PhotoStrip } from '../../../../components/display/photo-strip.tsx'
import { StatusBadge } from '../../../../components/display/status-badge.tsx'
import { type Column, ListTable } from '../../../../components/lists/list-table.tsx'
import { RequestButtons, type RequestHandlers } from '../other-requests.tsx'
import {
  askingPriceComparison,
  financingText,
  isPendingRequest,
  isSellersTurn,
  leftToPayText,
  pendingRequests,
  signatureText,
  sortBestFirst,
  tradesText,
} from '../request-facts.ts'
import classes from './request-table.module.css'

type RequestTableProps = RequestHandlers & {
  car: Car
  requests: readonly Request[]
  onConfirm: (request: Request) => void
  onDeny: (request: Request) => void
  onPropose: (request: Request) => void
}

/** Compares all requests on a car, the best first; each is confirmed in its row (R-deals-2, R-deals-98). */
export function RequestTable({
  car,
  requests,
  onConfirm,
  onDeny,
  onPropose,
  ...handlers
}: RequestTableProps) {
  const hasOneTurn =
    pendingRequests(requests).filter(({ isPaused }) => !isPaused).length === 1 && requests.some(isSellersTurn)
  const columns: Column<Request>[] = [
    {
      header: texts.buyer,
      kind: 'title',
      cell: (request) => (
        <Box miw="10rem">
          {fullName(request.buyer)}
          <Text size="sm" c="dimmed">
            {signatureText(request)}
          </Text>
          <Group gap={4} mt="xs">
            <RequestButtons request={request} {...handlers} />
          </Group>
        </Box>
      ),
    },
    {
      header: texts.offeredPrice,
      kind: 'number',
      cell: (request) => (
        <Box>
          <Money cents={request.price} size="lg" />
          <Text size="sm" c="dimmed">
            {askingPriceComparison(request.price, car.price)}
          </Text>
          <Text size="sm">{leftToPayText(request)}</Text>
          {request.proposedPrice !== null && (
            <Text size="sm">{texts.proposal.open(formatUsd(request.proposedPrice))}</Text>
          )}
        </Box>
      ),
    },
    {
      header: texts.trades,
      cell: ({ trades }) => (
        <Box maw="16rem">
          {tradesText(trades)}
          {trades.map((trade) => (
            <PhotoStrip key={trade._id} photos={trade.photos} name={carName(trade)} />
          ))}
        </Box>
      ),
    },
    {
      header: texts.financing,
      cell: ({ needsFinancing, financing }) => financingText(needsFinancing, financing),
    },
    {
      header: texts.requestedAt,
      cell: ({ createdAt }) => <time dateTime={createdAt}>{formatDateTime(createdAt)}</time>,
    },
    {
      header: texts.actions,
      kind: 'action',
      cell: (request) => (
        <div className={classes.actions}>
          {mayMove(request, 'SELLER', 'confirm') && (
            <Button
              size="sm"
              variant={hasOneTurn ? 'filled' : 'light'}
              aria-label={`${texts.confirmIntendedBuyer}: ${fullName(request.buyer)}`}
              onClick={() => onConfirm(request)}
            >
              {texts.confirmIntendedBuyer}
            </Button>
          )}
          {mayMove(request, 'SELLER', 'deny') && (
            <Button size="sm" variant="default" onClick={() => onDeny(request)}>
              {texts.deny}
            </Button>
          )}
          {mayMove(request, 'SELLER', 'propose') && (
            <Button size="sm" variant="default" onClick={() => onPropose(request)}>
              {request.proposedPrice === null ? texts.proposal.propose : texts.proposal.change}
            </Button>
          )}
          {isPendingRequest(request) && request.isPaused && (
            <StatusBadge status="PENDING" label={suspensionTexts.paused.row} />
          )}
          {!isPendingRequest(request) && <StatusBadge status={request.status} />}
        </div>
      ),
    },
  ]
  return (
    <ListTable
      label={texts.requests}
      rows={sortBestFirst(requests)}
      columns={columns}
      isYourTurn={isSellersTurn}
    />
  )
}
