import type { Car } from '@keyturn/contract/cars/endpoints.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { removeListing } from '@keyturn/contract/deals/endpoints.ts'
import { isReserved } from '@keyturn/contract/deals/rules.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { formatDate } from '@keyturn/contract/shared/dates.ts'
import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useEndpointMutation } from '../../api/mutations/use-endpoint-mutation.ts'
import { administratorKey } from '../../auth/remembered-person.ts'
import { Money } from '../../components/display/money.tsx'
import { Vin } from '../../components/display/vin.tsx'
import { ConfirmDialog } from '../../components/feedback/confirm-dialog.tsx'
import { TextAreaField } from '../../components/fields/text-field.tsx'
import { PagedTable } from '../../components/lists/paged-table.tsx'
import { texts as shared } from '../../components/texts.ts'
import { failureText } from '../deals/package/failure-text.ts'
import { allCarsQuery } from '../deals/queries.ts'
import { OperatorOnly } from './administrators/operator-only.tsx'

const texts = dealTexts.listings

/** Every listing, newest first, so that the administrator can remove a squatter's (R-cars-13). */
export function ListingsCard() {
  const all = useInfiniteQuery(allCarsQuery)
  const [open, setOpen] = useState<Car | null>(null)
  return (
    <>
      <PagedTable
        from={all}
        failed={texts.failed}
        empty={texts.empty}
        emptyPicture="cars"
        skeletonRows={2}
        label={texts.title}
        columns={[
          { header: texts.columns.car, kind: 'title', cell: carName },
          { header: texts.columns.vin, cell: ({ vin }) => <Vin value={vin} /> },
          {
            header: texts.columns.price,
            kind: 'number',
            cell: ({ price }) => <Money cents={price} unset={dealTexts.home.toBeAgreed} />,
          },
          { header: texts.columns.listed, cell: ({ createdAt }) => formatDate(createdAt) },
          {
            header: texts.columns.action,
            kind: 'action',
            cell: (car) =>
              !isReserved(car.status) && (
                <OperatorOnly>
                  <Button variant="default" onClick={() => setOpen(car)}>
                    {texts.remove}
                  </Button>
                </OperatorOnly>
              ),
          },
        ]}
      />
      {open && <ListingRemoval car={open} onClose={() => setOpen(null)} />}
    </>
  )
}

type RemovalProps = { car: Parameters<typeof carName>[0] & { _id: string }; onClose: () => void }

export function ListingRemoval({ car, onClose }: RemovalProps) {
  const refresh = [['deals'], ['cars'], administratorKey]
  const { act } = useEndpointMutation(removeListing, { refresh, success: texts.removed, onDone: onClose })
  const [reason, setReason] = useState('')
  return (
    <ConfirmDialog
      title={texts.removeTitle}
      confirm={texts.remove}
      cancel={texts.cancel}
      danger
      blockedBecause={reason.trim() === '' && shared.reasonFirst}
      failed={failureText}
      onConfirm={() => act({ params: { carId: car._id }, body: { reason } })}
      onClose={onClose}
    >
      {texts.removeQuestion(carName(car))}
      <TextAreaField
        label={texts.reason}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </ConfirmDialog>
  )
}
