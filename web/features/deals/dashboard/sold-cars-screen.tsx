import { fullName, homePathOf } from '@keyturn/contract/accounts/rules.ts'
import { exportSoldCars, listSoldCars } from '@keyturn/contract/deals/endpoints.ts'
import type { SoldCar } from '@keyturn/contract/deals/shapes.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { Stack } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { hasErrorCode } from '../../../api/errors.ts'
import { fetchDocument } from '../../../api/send.ts'
import { userQuery } from '../../../auth/session.tsx'
import { StatusBadge } from '../../../components/display/status-badge.tsx'
import { Vin } from '../../../components/display/vin.tsx'
import { downloadFile } from '../../../components/download-file.ts'
import { Failure } from '../../../components/feedback/failure.tsx'
import { Spinner } from '../../../components/feedback/spinner.tsx'
import { WorkButton } from '../../../components/feedback/work-button.tsx'
import { IconTableExport } from '../../../components/icons.tsx'
import { Page } from '../../../components/layout/page.tsx'
import { EmptyState } from '../../../components/lists/empty-state.tsx'
import type { Column } from '../../../components/lists/list-table.tsx'
import { PagedTable } from '../../../components/lists/paged-table.tsx'
import { BackLink } from '../../../components/navigation/link.tsx'
import { soldCarsQuery } from '../queries.ts'

const texts = dealTexts.sold

/**
 * /listofcars: the deals that both have signed, for wholesalers and the administrator (R-deals-45).
 */
export function SoldCarsScreen() {
  // Reads the user that the route's guard has fetched. A refetch would hide the page until the
  // response arrives.
  const user = useQuery({ ...userQuery, enabled: false }).data
  const sold = useInfiniteQuery(soldCarsQuery)
  const hasRows = sold.data?.pages.some(({ rows }) => rows.length > 0)
  return (
    <Page
      title={texts.title}
      back={<BackLink to={user ? homePathOf(user.userType) : '/dev'}>{texts.back}</BackLink>}
      action={hasRows && <ExportSoldCars />}
    >
      <PagedTable
        from={sold}
        failed={(fault) =>
          hasErrorCode(fault, listSoldCars, 'Forbidden', 'EmailNotVerified') ? <Unauthorized /> : texts.failed
        }
        empty={texts.empty}
        emptyPicture="papers"
        skeleton={<Spinner label={texts.loading} />}
        label={texts.title}
        columns={columns}
      />
    </Page>
  )
}

const Unauthorized = () => <EmptyState text={tradeTexts.wholesaler.unauthorized} picture="papers" />

const columns: Column<SoldCar>[] = [
  { header: texts.columns.seller, cell: ({ sellerId }) => fullName(sellerId) },
  { header: texts.columns.buyer, cell: ({ buyerId }) => fullName(buyerId) },
  { header: texts.columns.vin, cell: ({ vin }) => <Vin value={vin} /> },
  {
    header: texts.columns.car,
    kind: 'title',
    cell: ({ carDetails: { make, carModel, year } }) => texts.car(make, carModel, year),
  },
  {
    header: texts.columns.trades,
    cell: ({ tradeVins }) => (tradeVins.length > 0 ? tradeVins.join(', ') : texts.noTrades),
  },
  {
    header: texts.columns.status,
    cell: ({ completed }) => (
      <StatusBadge
        status={completed ? 'COMPLETED' : 'PENDING'}
        label={completed ? texts.completed : texts.pending}
      />
    ),
  },
]

function ExportSoldCars() {
  const [fault, setFault] = useState<unknown>(null)
  const download = async () => {
    setFault(null)
    await fetchDocument(exportSoldCars, {}).then((file) => downloadFile(file, texts.fileName), setFault)
  }
  return (
    <Stack gap="sm">
      <WorkButton
        variant="default"
        leftSection={<IconTableExport size={20} stroke={1.75} />}
        working={texts.exporting}
        onClick={download}
      >
        {texts.export}
      </WorkButton>
      {fault !== null && <Failure sentence={texts.failed} fault={fault} onRetry={download} />}
    </Stack>
  )
}
