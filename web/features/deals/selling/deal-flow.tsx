import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { carTexts, detailTexts } from '@keyturn/contract/cars/texts.ts'
import { sellingTexts as texts } from '@keyturn/contract/deals/selling-texts.ts'
import type { DashboardCar, Progress, Request } from '@keyturn/contract/deals/shapes.ts'
import { type SellerStage, sellerPercent, sellerStage, sellerStages } from '@keyturn/contract/deals/stages.ts'
import { useQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { DealHeader } from '../../../components/display/deal-header.tsx'
import { StatusBadge } from '../../../components/display/status-badge.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { Page } from '../../../components/layout/page.tsx'
import { FactTable } from '../../../components/lists/fact-table.tsx'
import { QueryContent } from '../../../components/lists/query-content.tsx'
import { BackToHomeLink } from '../../../components/navigation/link.tsx'
import { hasDetails, SellerDescription } from '../../cars/car-card.tsx'
import { MessagesButton } from '../../messages/messages-button.tsx'
import { DealTimeline } from '../deal-timeline.tsx'
import { PausedNotice } from '../paused-notice.tsx'
import { priceNote } from '../price-note.ts'
import { progressQuery } from '../queries.ts'
import { StageStepper } from '../stage-stepper.tsx'
import { useScrollToTopOnChange } from '../use-scroll-to-top-on-change.ts'
import { Viewers } from '../viewers.tsx'
import { CalledOffSales } from './called-off-sales.tsx'
import { CarDetailsCard } from './car-details-card.tsx'
import { CarPhotos } from './car-photos.tsx'
import { contactFacts } from './contact-facts.tsx'
import { DealError } from './deal-error.tsx'
import { NewMessagesFromOthers, OtherRequests, type RequestHandlers } from './other-requests.tsx'
import { financingText, tradesText } from './request-facts.ts'
import { type SellerStageProps, SignedStage, TermSheetStage } from './seller-stages.tsx'

const { edit } = carTexts

const stages: Record<SellerStage, ComponentType<SellerStageProps>> = {
  0: TermSheetStage,
  1: TermSheetStage,
  2: SignedStage,
  3: SignedStage,
}

type DealFlowProps = RequestHandlers & { car: DashboardCar; requests: readonly Request[] }

/** /car/seller once a buyer is confirmed: the seller's four stages (R-deals-10, R-deals-42). */
export function DealFlow({ car, requests, ...handlers }: DealFlowProps) {
  const deal = useQuery(progressQuery(car.sellerId, car.vin))
  const stage = deal.data ? sellerStage(deal.data) : 1
  const { year, make, carModel } = car
  return (
    <Page
      title={texts.yourSale}
      quietTitle
      width={deal.data?.passedAt ? 'list' : 'paper'}
      documentTitle={`${deal.data ? stageNames(deal.data)[stage] : texts.stages[stage]} · ${carName({ year, make, carModel })}`}
      back={<BackToHomeLink side="selling">{texts.back}</BackToHomeLink>}
      lead={
        <>
          <Viewers userId={car.sellerId} vin={car.vin} />
          {deal.data && <NewMessagesFromOthers requests={otherRequests(deal.data, requests)} />}
        </>
      }
    >
      <QueryContent
        from={deal}
        failed={(fault) => <DealError fault={fault} onRetry={() => deal.refetch()} />}
        skeleton="cards"
        skeletonRows={3}
      >
        {(progress) => (
          <StagePage
            car={car}
            requests={requests}
            deal={progress}
            readAt={deal.dataUpdatedAt}
            {...handlers}
          />
        )}
      </QueryContent>
    </Page>
  )
}

function StagePage({ car, requests, deal, readAt, ...handlers }: DealFlowProps & SellerStageProps) {
  const stage = sellerStage(deal)
  const Stage = stages[stage]
  useScrollToTopOnChange(stage)
  return (
    <>
      <DealHeader
        title={carName(deal.carDetails)}
        car={deal.carDetails}
        price={deal.price}
        unsetPrice={carTexts.toBeAgreed}
        priceNote={priceNote(deal)}
        vin={deal.vin}
        status={stage < 2 && <StatusBadge status={deal.status ?? 'PENDING'} />}
        action={<MessagesButton dealId={deal._id} vin={deal.vin} other={deal.buyer} />}
      />
      <StageStepper
        label={texts.progress}
        steps={stageNames(deal)}
        current={stage === 3 ? sellerStages.length : stage}
        percent={sellerPercent[stage]}
      />
      <PausedNotice deal={deal} />
      <Stage deal={deal} readAt={readAt}>
        <BuyerCard deal={deal} request={requests.find(({ _id }) => _id === deal._id)} />
        {car.photos.length > 0 && <CarPhotos car={car} fixed={photosFixedReason(deal)} />}
        {hasDetails(car) && (
          <Card title={detailTexts.description.label}>
            <SellerDescription car={car} />
          </Card>
        )}
        <CarDetailsCard car={car} fixed={carFixedReason(deal)} />
        <DealTimeline userId={deal.sellerId} vin={deal.vin} buyerId={deal.buyerId} />
      </Stage>
      <OtherRequests requests={otherRequests(deal, requests)} {...handlers} />
      <CalledOffSales car={car} sales={car.calledOffSales} requests={requests} />
    </>
  )
}

const otherRequests = (deal: Progress, requests: readonly Request[]) =>
  requests.filter(({ _id }) => _id !== deal._id)

/** A deal that only the seller has signed is not passed on yet. */
const stageNames = (deal: Progress): readonly string[] =>
  texts.stages.map((name, at) =>
    at === 2 && sellerStage(deal) === 2 && !deal.passedAt ? texts.waitingStage : name,
  )

const carFixedReason = ({ passedAt, sellerSigned }: Progress): string | undefined =>
  passedAt ? undefined : sellerSigned ? edit.held : edit.confirmed

function photosFixedReason(deal: Progress): string {
  if (deal.passedAt) return carTexts.photos.agreed
  return deal.sellerSigned ? edit.held : carTexts.photos.fixed
}

function BuyerCard({ deal, request }: { deal: Progress; request: Request | undefined }) {
  const { buyer, tradeVins, needsFinancing, financing } = deal
  return (
    <Card title={texts.parties}>
      <FactTable
        facts={[
          { term: texts.buyer, value: fullName(buyer) },
          ...contactFacts(buyer, texts),
          {
            term: texts.trades,
            value: request ? tradesText(request.trades) : tradeVins.join('; ') || texts.noTrades,
          },
          { term: texts.financing, value: financingText(needsFinancing, financing) },
        ]}
      />
    </Card>
  )
}
