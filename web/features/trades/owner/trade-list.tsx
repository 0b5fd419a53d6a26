import { carName } from '@keyturn/contract/cars/rules.ts'
import type { Trade } from '@keyturn/contract/trades/endpoints.ts'
import { isAgreedTrade } from '@keyturn/contract/trades/rules.ts'
import { tradeStatusLabels, tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { ActionIcon, Button, Text, Tooltip } from '@mantine/core'
import { Money } from '../../../components/display/money.tsx'
import { StatusBadge } from '../../../components/display/status-badge.tsx'
import { IconPhoto, IconTrash } from '../../../components/icons.tsx'
import { type Column, ListTable } from '../../../components/lists/list-table.tsx'
import { useCarColumns } from '../../cars/use-car-columns.tsx'
import { ownerTurn, sortOwnersTurnFirst } from '../trade-turns.ts'

const texts = tradeTexts.dashboard

type TradeListProps = {
  trades: readonly Trade[]
  onOpen: (trade: Trade) => void
  onPhotos: (trade: Trade) => void
  onDelete: (trade: Trade) => void
}

/** Lists trades, one row each. A click anywhere in a row opens the trade, as its button does. */
export function TradeList({ trades, onOpen, onPhotos, onDelete }: TradeListProps) {
  const facts = useCarColumns<Trade>({ ...texts.columns, model: texts.columns.carModel }, '61.99em')
  return (
    <ListTable
      label={texts.title}
      rows={sortOwnersTurnFirst(trades)}
      isYourTurn={isMine}
      rowsOpen
      columns={[
        ...facts,
        price,
        status,
        {
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

const isMine = (trade: Trade) => ownerTurn(trade)?.mine === true

type ActionsProps = { trade: Trade; onOpen: () => void; onPhotos: () => void; onDelete: () => void }

function Actions({ trade, onOpen, onPhotos, onDelete }: ActionsProps) {
  const name = carName(trade)
  const use = trade.usedFor?.use
  const next = use === 'SIGNED' || use === 'SOLD' ? texts.next.REJECTED : texts.next[trade.status]
  return (
    <>
      <Button
        size="sm"
        variant={isMine(trade) || (isAgreedTrade(trade.status) && !trade.usedFor) ? 'filled' : 'default'}
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

const price: Column<Trade> = {
  header: texts.columns.price,
  kind: 'number',
  cell: (trade) => (
    <>
      <Money cents={trade.price} unset={texts.noPrice} />
      {trade.counteredOffer !== null && (
        <Text c="dimmed" fz="sm">
          {texts.ownCounter}
        </Text>
      )}
    </>
  ),
}
const status: Column<Trade> = {
  header: texts.columns.status,
  cell: (trade) => <StatusBadge status={trade.status} label={tradeStatusLabels[trade.status].owner} />,
}
