import { type DeskDeal, type DeskList, readDesk } from '@keyturn/contract/dealers/dealer-desk.ts'
import { deskTexts as texts } from '@keyturn/contract/dealers/dealer-desk-texts.ts'
import { formatDate, formatDuration } from '@keyturn/contract/shared/dates.ts'
import { Stack } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { hasErrorCode } from '../../../api/errors.ts'
import { Vin } from '../../../components/display/vin.tsx'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { Spinner } from '../../../components/feedback/spinner.tsx'
import { Card } from '../../../components/layout/card.tsx'
import type { Column } from '../../../components/lists/list-table.tsx'
import { PagedTable } from '../../../components/lists/paged-table.tsx'
import { BackLink, LinkButton } from '../../../components/navigation/link.tsx'
import { PublicPage } from '../../public-pages/public-page.tsx'
import { AdministratorForm } from '../administrator-form.tsx'
import { ListSection } from '../list-section.tsx'
import { DeskDealPage } from './desk-deal-page.tsx'
import { deskDealsQuery, deskQuery } from './queries.ts'

/** /dealer: the built-in desk, for the administrator. With a package id, it shows that deal. */
export function DealerScreen() {
  const desk = useQuery(deskQuery)
  const { pkgId } = useSearch({ from: '/dealer' })
  if (hasErrorCode(desk.error, readDesk, 'InvalidAdminAccessToken')) return <SignInPage />
  if (hasErrorCode(desk.error, readDesk, 'CodesRequired'))
    return (
      <PublicPage title={texts.title} back={<BackLink to="/dev">{texts.toAdministrator}</BackLink>}>
        <Notice kind="info">{desk.error?.message}</Notice>
      </PublicPage>
    )
  if (!desk.data) {
    return (
      <PublicPage title={texts.title}>
        {desk.isPending ? (
          <Spinner />
        ) : (
          <ErrorNotice onRetry={() => void desk.refetch()}>{desk.error?.message ?? texts.failed}</ErrorNotice>
        )}
      </PublicPage>
    )
  }
  const { isOn, dealer } = desk.data
  if (isOn && pkgId) return <DeskDealPage pkgId={pkgId} key={pkgId} />
  return (
    <PublicPage
      title={texts.title}
      width="list"
      lead={isOn ? texts.lead(dealer) : texts.standsIn}
      back={<BackLink to="/dev">{texts.toAdministrator}</BackLink>}
    >
      {isOn ? (
        <Stack gap="xl">
          <DeskDeals list="waiting" />
          <DeskDeals list="done" />
        </Stack>
      ) : (
        <Notice kind="info" title={texts.off.title}>
          {texts.off.text(dealer)}
        </Notice>
      )}
    </PublicPage>
  )
}

const SignInPage = () => (
  <PublicPage title={texts.title} lead={texts.standsIn}>
    <Card>
      <AdministratorForm />
    </Card>
  </PublicPage>
)

function DeskDeals({ list }: { list: DeskList }) {
  // Fetching the waiting list also updates deals that were completed elsewhere, so it comes first.
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
    { header: texts.columns.age, cell: ({ receivedAt }) => formatDuration(ageOf(receivedAt)) },
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
