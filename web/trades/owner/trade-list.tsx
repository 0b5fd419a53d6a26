import { carName } from '@keyturn/contract/cars/rules.ts'
import type { Trade } from '@keyturn/contract/trades/calls.ts'
import { tradeStatusLabels, tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { ActionIcon, Box, Button, Tooltip } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { CarPicture } from '../../ui/deal/car-picture.tsx'
import { Money } from '../../ui/deal/money-text.tsx'
import { StatusBadge } from '../../ui/deal/status-badge.tsx'
import { IconPhoto, IconTrash } from '../../ui/icons.tsx'
import { type Column, ListTable } from '../../ui/lists/list-table.tsx'
import { ownersTurn, ownersTurnFirst } from '../turns.ts'

const texts = tradeTexts.dashboard

type TradeListProps = {
  trades: readonly Trade[]
  onOpen: (trade: Trade) => void
  onPhotos: (trade: Trade) => void
  onDelete: (trade: Trade) => void
}

/** One row per trade. A click anywhere in the row opens it, like its button. */
export function TradeList({ trades, onOpen, onPhotos, onDelete }: TradeListProps) {
  // At this width, one line replaces three columns that do not fit.
  const isNarrow = useMediaQuery('(max-width: 61.99em)', false, { getInitialValueInEffect: false })
  return (
    <ListTable
      label={texts.title}
      rows={ownersTurnFirst(trades)}
      rowKey={({ _id }) => _id}
      isYourTurn={isMine}
      rowsOpen
      columns={[
        ...(isNarrow ? onCard : inTable),
        price,
        status,
        {
          key: 'actions',
          header: texts.columns.actions,
          kind: 'action',
          cell: (trade) => (
            <Actions
              trade={trade}
              onOpen={() => onOpen(trade)}
              onPhotos={() => onPhotos(trade)}
              onDelete={() => onDelete(trade)}
            />
          ),
        },
      ]}
    />
  )
}

const isMine = (trade: Trade) => ownersTurn(trade)?.mine === true

type ActionsProps = { trade: Trade; onOpen: () => void; onPhotos: () => void; onDelete: () => void }

function Actions({ trade, onOpen, onPhotos, onDelete }: ActionsProps) {
  const name = carName(trade)
  const next = texts.next[trade.status]
  return (
    <>
      <Button
        size="sm"
        variant={isMine(trade) || trade.status === 'ACCEPTED' ? 'filled' : 'default'}
        aria-label={texts.of(next, name)}
        onClick={onOpen}
      >
        {next}
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

const picture: Column<Trade> = {
  key: 'car',
  header: texts.columns.car,
  kind: 'picture',
  cell: (trade) => (
    <Box w={72}>
      <CarPicture photos={trade.photos} body={trade.bodyType} sizes="72px" />
    </Box>
  ),
}
const name: Column<Trade> = { key: 'name', header: texts.columns.carModel, kind: 'title', cell: carName }
const year: Column<Trade> = { key: 'year', header: texts.columns.year, cell: (trade) => trade.year }
const make: Column<Trade> = { key: 'make', header: texts.columns.make, cell: (trade) => trade.make }
const model: Column<Trade> = {
  key: 'model',
  header: texts.columns.carModel,
  cell: (trade) => `${trade.carModel} ${trade.trim}`,
}
const price: Column<Trade> = {
  key: 'price',
  header: texts.columns.price,
  kind: 'number',
  cell: (trade) => <Money cents={trade.price} unset={texts.noPrice} />,
}
const status: Column<Trade> = {
  key: 'status',
  header: texts.columns.status,
  cell: (trade) => <StatusBadge status={trade.status} label={tradeStatusLabels[trade.status].owner} />,
}

const inTable = [picture, year, make, model]
const onCard = [picture, name]
