import { fullName } from '@keyturn/contract/accounts/rules.ts'
import type { Car } from '@keyturn/contract/cars/endpoints.ts'
import { isReserved } from '@keyturn/contract/deals/rules.ts'
import { sellingTexts as texts } from '@keyturn/contract/deals/selling-texts.ts'
import type { DashboardCar, Request } from '@keyturn/contract/deals/shapes.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useCarSearch, useIsBrokenCarLink } from '../../../api/search-params.ts'
import { useMyId } from '../../../auth/session.tsx'
import { useDraftNames } from '../../../auth/use-draft.ts'
import { Dialog } from '../../../components/feedback/dialog.tsx'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { Outcome } from '../../../components/feedback/outcome.tsx'
import { Page } from '../../../components/layout/page.tsx'
import { QueryContent } from '../../../components/lists/query-content.tsx'
import { AgreementDialog } from '../../agreements/agreement-dialog.tsx'
import { MessagesSheet } from '../../messages/messages-sheet.tsx'
import { TimelineContent } from '../deal-timeline.tsx'
import { carsOfUserQuery, progressQuery, requestsQuery } from '../queries.ts'
import { useScrollToTopOnChange } from '../use-scroll-to-top-on-change.ts'
import { ConfirmBuyerDialog } from './confirm-buyer-dialog.tsx'
import { DealError } from './deal-error.tsx'
import { DealFlow } from './deal-flow.tsx'
import { EditCarDialog } from './edit-car-dialog.tsx'
import { ProposePriceDialog, proposalDraft } from './propose-price-dialog.tsx'
import { ShareScreen } from './share/share-screen.tsx'
import { DenyDialog } from './turn-down-dialog.tsx'

type OpenDialog =
  | { dialog: 'edit' }
  | { dialog: 'confirm'; requestId: string }
  | { dialog: 'deny'; requestId: string }
  | { dialog: 'propose'; requestId: string }
  | { dialog: 'confirmed'; request: Request }
  | { dialog: 'timeline' | 'messages'; request: Request }

/** /car/seller?userId&vin: the listing until a buyer is confirmed, then the deal. */
export function SellerScreen() {
  const me = useMyId()
  const { userId, vin } = useCarSearch()
  const isBroken = useIsBrokenCarLink() || !userId || !vin
  const car = useQuery({
    ...carsOfUserQuery(me),
    select: (cars) =>
      cars.find((one) => one.sellerId === userId && one.sellerId === me && one.vin === vin) ?? null,
  })
  if (car.data) return <SellerCar key={car.data._id} car={car.data} />
  return (
    <Page title={texts.yourSale}>
      <QueryContent
        from={car}
        failed={(fault) => <DealError fault={fault} onRetry={() => car.refetch()} />}
        skeleton="cards"
        skeletonRows={3}
      >
        {() => <DealError fault={isBroken ? texts.brokenLink : texts.notYours} />}
      </QueryContent>
    </Page>
  )
}

/**
 * The dialogs are rendered outside both screens, because confirming replaces one screen with the
 * other.
 */
function SellerCar({ car }: { car: DashboardCar }) {
  const [open, setOpen] = useState(useDraftedDialog())
  const requests = useQuery(requestsQuery(car._id))
  const withdrawn = useWithdrawnRequest(requests.data)
  const isCalledOff = car.calledOffSales.some(({ _id }) => _id === withdrawn?._id)
  const close = () => setOpen(null)
  const handlers = {
    onOpenTimeline: (request: Request) => setOpen({ dialog: 'timeline', request }),
    onOpenMessages: (request: Request) => setOpen({ dialog: 'messages', request }),
    messagesOf: open?.dialog === 'messages' ? open.request._id : undefined,
  }
  const deny = ({ _id }: Request) => setOpen({ dialog: 'deny', requestId: _id })
  const isConfirmed = isReserved(car.status)
  useScrollToTopOnChange(isConfirmed)
  return (
    <>
      {isConfirmed ? (
        <DealFlow car={car} requests={requests.data ?? []} {...handlers} />
      ) : (
        <ShareScreen
          car={car}
          requests={requests}
          withdrawn={isCalledOff ? undefined : withdrawn}
          {...handlers}
          onConfirm={({ _id }) => setOpen({ dialog: 'confirm', requestId: _id })}
          onDeny={deny}
          onPropose={({ _id }) => setOpen({ dialog: 'propose', requestId: _id })}
          onEdit={() => setOpen({ dialog: 'edit' })}
        />
      )}
      {open?.dialog === 'edit' && <EditCarDialog car={car} onClose={close} />}
      {open?.dialog === 'confirm' && (
        <ConfirmBuyerDialog
          car={car}
          requests={requests.data ?? []}
          requestId={open.requestId}
          onDeny={deny}
          onConfirmed={(request) => setOpen({ dialog: 'confirmed', request })}
          onClose={close}
        />
      )}
      {open?.dialog === 'deny' && (
        <DenyDialog car={car} requests={requests.data ?? []} requestId={open.requestId} onClose={close} />
      )}
      {open?.dialog === 'propose' && (
        <ProposePriceDialog
          car={car}
          requests={requests.data ?? []}
          requestId={open.requestId}
          onClose={close}
        />
      )}
      {open?.dialog === 'confirmed' && <BuyerConfirmed car={car} request={open.request} onClose={close} />}
      {open?.dialog === 'timeline' && (
        <TimelineDialog car={car} request={open.request} requests={requests.data ?? []} onClose={close} />
      )}
      {open?.dialog === 'messages' && (
        <MessagesSheet
          dealId={open.request._id}
          vin={car.vin}
          other={open.request.buyer}
          announces
          gone={!requests.data?.some(({ _id }) => _id === open.request._id) && texts.requestGone}
          onClose={close}
        />
      )}
    </>
  )
}

/** The dialog in which something was typed when the session ended. */
function useDraftedDialog(): OpenDialog | null {
  const names = useDraftNames()
  if (names.includes('edit-car')) return { dialog: 'edit' }
  const proposal = names.find((name) => name.startsWith(proposalDraft('')))
  return proposal ? { dialog: 'propose', requestId: proposal.slice(proposalDraft('').length) } : null
}

/**
 * Returns the request of a buyer who was confirmed while this page was open and has left since
 * then.
 */
function useWithdrawnRequest(requests: readonly Request[] | undefined): Request | undefined {
  const [last, setLast] = useState<Request>()
  const confirmed = requests?.find(({ status }) => isReserved(status))
  if (confirmed && confirmed._id !== last?._id) setLast(confirmed)
  return requests?.some(({ _id }) => _id === last?._id) ? undefined : last
}

type BuyerConfirmedProps = { car: DashboardCar; request: Request; onClose: () => void }

/** Shown after a confirmation, with the agreement to sign (R-deals-21). */
function BuyerConfirmed({ car, request, onClose }: BuyerConfirmedProps) {
  const { data: deal } = useQuery(progressQuery(car.sellerId, car.vin))
  const confirmed = (
    <Outcome kind="good" title={texts.confirmed} order={3}>
      {texts.confirmedHint}
    </Outcome>
  )
  if (deal?.terms && deal.buyerId === request.buyer._id)
    return (
      <AgreementDialog progress={deal} terms={deal.terms} side="SELLER" lead={confirmed} onClose={onClose} />
    )
  return (
    <Dialog title={fullName(request.buyer)} size="sm" onClose={onClose}>
      {confirmed}
    </Dialog>
  )
}

type TimelineDialogProps = {
  car: Car
  /** The request at the time when the dialog was opened. */
  request: Request
  requests: readonly Request[]
  onClose: () => void
}

function TimelineDialog({ car, request, requests, onClose }: TimelineDialogProps) {
  const { buyer } = request
  const isGone = !requests.some(({ _id }) => _id === request._id)
  return (
    <Dialog
      title={texts.storyOf(fullName(buyer))}
      onClose={onClose}
      trouble={isGone && <ErrorNotice>{texts.requestGone}</ErrorNotice>}
      actions={isGone && <Button onClick={onClose}>{texts.close}</Button>}
    >
      {!isGone && <TimelineContent userId={car.sellerId} vin={car.vin} buyerId={buyer._id} />}
    </Dialog>
  )
}
