import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { packageTexts } from '@keyturn/contract/agreements/term-sheet-texts.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { completeDeal, readPackageId } from '@keyturn/contract/deals/endpoints.ts'
import { mayComplete } from '@keyturn/contract/deals/may-move.ts'
import type { SoldCar } from '@keyturn/contract/deals/shapes.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useEndpointMutation } from '../../api/mutations/use-endpoint-mutation.ts'
import { send } from '../../api/send.ts'
import { StatusBadge } from '../../components/display/status-badge.tsx'
import { Vin } from '../../components/display/vin.tsx'
import { ConfirmDialog } from '../../components/feedback/confirm-dialog.tsx'
import { PagedTable } from '../../components/lists/paged-table.tsx'
import { failureText } from '../deals/package/failure-text.ts'
import { soldCarsQuery } from '../deals/queries.ts'
import { OperatorOnly } from './administrators/operator-only.tsx'
import { sortPendingFirst } from './sort-pending-first.ts'

const texts = dealTexts.sold

/** Signed deals that the administrator can complete once the dealer has closed them. */
export function SignedDealsCard() {
  const sold = useInfiniteQuery(soldCarsQuery)
  const [open, setOpen] = useState<SoldCar | null>(null)
  return (
    <>
      <PagedTable
        from={sold}
        failed={texts.failed}
        empty={texts.empty}
        emptyPicture="cars"
        skeletonRows={2}
        label={texts.title}
        order={(rows) => sortPendingFirst(rows, mayComplete)}
        columns={[
          { header: texts.columns.car, kind: 'title', cell: nameOf },
          { header: texts.columns.vin, cell: ({ vin }) => <Vin value={vin} /> },
          { header: texts.columns.seller, cell: ({ sellerId }) => fullName(sellerId) },
          { header: texts.columns.buyer, cell: ({ buyerId }) => fullName(buyerId) },
          {
            header: texts.columns.status,
            kind: 'action',
            cell: (deal) =>
              mayComplete(deal) ? (
                <OperatorOnly>
                  <Button onClick={() => setOpen(deal)}>{packageTexts.complete}</Button>
                </OperatorOnly>
              ) : (
                <StatusBadge status="COMPLETED" label={texts.completed} />
              ),
          },
        ]}
      />
      {open && <Completion deal={open} onClose={() => setOpen(null)} />}
    </>
  )
}

function Completion({ deal, onClose }: { deal: SoldCar; onClose: () => void }) {
  const { act } = useEndpointMutation(completeDeal, {
    refresh: [['deals']],
    success: packageTexts.done,
    onDone: onClose,
  })
  const complete = async () => {
    const params = { userId: deal.sellerId._id, vin: deal.vin }
    const { pkgId } = await send(readPackageId, { params, query: { buyerId: deal.buyerId._id } })
    await act({ params: { pkgId } })
  }
  return (
    <ConfirmDialog
      title={packageTexts.complete}
      confirm={packageTexts.complete}
      failed={failureText}
      onConfirm={complete}
      onClose={onClose}
    >
      {packageTexts.completeQuestion(nameOf(deal))}
    </ConfirmDialog>
  )
}

const nameOf = ({ carDetails }: SoldCar) => carName(carDetails)
