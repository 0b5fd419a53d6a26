import type { DeskDeal, DeskList } from '@keyturn/contract/deals/dealers/dealer-desk.ts'
import { deskTexts as texts } from '@keyturn/contract/deals/dealers/dealer-desk-texts.ts'
import { formatDate, formatSpan } from '@keyturn/contract/kit/dates.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Vin } from '../../ui/deal/vin.tsx'
import { LinkButton } from '../../ui/frame/link.tsx'
import type { Column } from '../../ui/lists/list-table.tsx'
import { PagedTable } from '../../ui/lists/paged-table.tsx'
import { ListSection } from '../list-section.tsx'
import { deskDealsQuery } from './queries.ts'

export function DeskDeals({ list }: { list: DeskList }) {
  // Looking at what waits finds out what is done.
  const waiting = useInfiniteQuery(deskDealsQuery('waiting'))
  const deals = useInfiniteQuery({
    ...deskDealsQuery(list),
    enabled: list === 'waiting' || waiting.isSuccess,
  })
  const { title, empty } = texts.lists[list]
  return (
    <ListSection title={title}>
      <PagedTable
        from={deals}
        failed={texts.failed}
        empty={empty}
        emptyPicture="papers"
        skeletonRows={2}
        label={title}
        rowsOpen
        columns={columns[list]}
      />
    </ListSection>
  )
}

const car: Column<DeskDeal> = { header: texts.columns.car, kind: 'title', cell: (deal) => deal.car }
const vin: Column<DeskDeal> = { header: texts.columns.vin, cell: (deal) => <Vin value={deal.vin} /> }
const step: Column<DeskDeal> = {
  header: texts.columns.step,
  cell: (deal) => (deal.step === null ? texts.noAnswer : texts.said[deal.step]),
}
const open: Column<DeskDeal> = {
  header: texts.columns.action,
  kind: 'action',
  cell: (deal) => (
    <LinkButton
      to="/dealer"
      search={{ pkgId: deal._id }}
      variant="default"
      aria-label={texts.openOf(deal.car)}
    >
      {texts.open}
    </LinkButton>
  ),
}

const columns: Record<DeskList, Column<DeskDeal>[]> = {
  waiting: [
    car,
    vin,
    { header: texts.columns.age, cell: ({ receivedAt }) => formatSpan(ageOf(receivedAt)) },
    step,
    open,
  ],
  done: [
    car,
    vin,
    { header: texts.columns.received, cell: ({ receivedAt }) => formatDate(receivedAt) },
    step,
    open,
  ],
}

const ageOf = (at: string) => Date.now() - Date.parse(at)
