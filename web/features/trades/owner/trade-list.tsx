import { suspensionTexts } from '@keyturn/contract/accounts/suspension-texts.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { formatDeadline } from '@keyturn/contract/shared/dates.ts'
import type { Trade } from '@keyturn/contract/trades/endpoints.ts'
import { isAgreedTrade } from '@keyturn/contract/trades/rules.ts'
import { tradeStatusLabels, tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconPhoto, IconTrash } from '../../../components/icons.tsx'
import { type Column, ListTable } from '../../../components/lists/list-table.tsx'
import { RowPrices, type RowShape, RowStatus } from '../../cars/row-facts.tsx'
import { useCarColumns } from '../../cars/use-car-columns.tsx'
import { isOwnersTurn, sortOwnersTurnFirst } from '../trade-turns.ts'

const texts = tradeTexts.dashboard

type TradeListProps = {
  trades: readonly Trade[]
  onOpen: (trade: Trade) => void
  onPhotos: (trade: Trade) => void
  onDelete: (trade: Trade) => void
}

/**
 * Lists trades, one row each. A click anywhere in a row opens the trade, as its button does. The
 * first trade with an offer to answer is next up, and has the only primary button (R-deals-101).
 */
export function TradeList({ trades, onOpen, onPhotos, onDelete }: TradeListProps) {
  const headers = { ...texts.columns, model: texts.columns.carModel }
  const { shape, facts, nextFacts } = useCarColumns<Trade>(headers)
  const sorted = sortOwnersTurnFirst(trades)
  const [first] = sorted
  const nextUp = first && isOwnersTurn(first) ? first : undefined
  const stateColumns = (of: RowShape): Column<Trade>[] => [
    {
      header: texts.columns.price,
      kind: 'number',
      cell: ({ price, counteredOffer }) => (
        <RowPrices
          shape={of}
          prices={[{ cents: price, name: counteredOffer === null ? texts.offer : texts.ownCounter }]}
          unset={texts.noPrice}
        />
      ),
    },
    {
      header: texts.columns.status,
      kind: 'status',
      cell: (trade) => <RowStatus shape={of} badge={badgeOf(trade)} note={noteOf(trade, of)} />,
    },
    {
      header: texts.columns.actions,
      kind: 'action',
      cell: (trade) => (
        <Actions
          trade={trade}
          isNextUp={of === 'nextUp'}
          onOpen={() => onOpen(trade)}
          onPhotos={() => onPhotos(trade)}
          onDelete={() => onDelete(trade)}
        />
      ),
    },
  ]
  return (
    <ListTable
      label={texts.title}
      rows={sorted}
      next={nextUp && { row: nextUp, columns: [...nextFacts, ...stateColumns('nextUp')] }}
      columns={[...facts, ...stateColumns(shape)]}
      isYourTurn={isOwnersTurn}
      rowsOpen
      isDense
    />
  )
}

const badgeOf = ({ status }: Trade) => ({ status, label: tradeStatusLabels[status].owner })

/**
 * That the trade is paused, or the deadline of an offer. A line also names its action if that is to
 * continue a purchase.
 */
function noteOf(trade: Trade, shape: RowShape): string {
  if (trade.isPaused) return suspensionTexts.paused.row
  if (trade.offerExpiresAt !== null) return texts.answerBy(formatDeadline(trade.offerExpiresAt))
  return shape === 'line' && isAgreedTrade(trade.status) && !trade.usedFor ? verbOf(trade) : ''
}

const verbOf = ({ status, usedFor, isPaused }: Trade) =>
  texts.next[isPaused || usedFor?.use === 'SIGNED' || usedFor?.use === 'SOLD' ? 'REJECTED' : status]

type ActionsProps = {
  trade: Trade
  isNextUp: boolean
  onOpen: () => void
  onPhotos: () => void
  onDelete: () => void
}

function Actions({ trade, isNextUp, onOpen, onPhotos, onDelete }: ActionsProps) {
  const name = carName(trade)
  const verb = verbOf(trade)
  return (
    <>
      <Button
        size="sm"
        variant={isNextUp ? 'filled' : 'default'}
        aria-label={texts.of(verb, name)}
        onClick={onOpen}
      >
        {verb}
      </Button>
      <Tooltip label={texts.photos}>
        <ActionIcon variant="default" aria-label={texts.photosOf(name)} onClick={onPhotos}>
          <IconPhoto size={20} stroke={1.75} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={texts.delete}>
        <ActionIcon flex="0 0 auto" variant="default" aria-label={texts.deleteLabel(name)} onClick={onDelete}>
          <IconTrash size={20} stroke={1.75} />
        </ActionIcon>
      </Tooltip>
    </>
  )
}
