import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { mayMove } from '@keyturn/contract/deals/may-move.ts'
import { sellingTexts as texts } from '@keyturn/contract/deals/selling-texts.ts'
import type { DashboardCar, Request } from '@keyturn/contract/deals/shapes.ts'
import { sellerPercent } from '@keyturn/contract/deals/stages.ts'
import { SimpleGrid, Stack, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { NextStepCard } from '../../../../components/display/next-step-card.tsx'
import { Notice } from '../../../../components/feedback/notice.tsx'
import { Card } from '../../../../components/layout/card.tsx'
import { Page } from '../../../../components/layout/page.tsx'
import { QueryContent } from '../../../../components/lists/query-content.tsx'
import { BackToHomeLink } from '../../../../components/navigation/link.tsx'
import { StageStepper } from '../../stage-stepper.tsx'
import { Viewers } from '../../viewers.tsx'
import { CalledOffSales, LastCalledOffNotice } from '../called-off-sales.tsx'
import { CarDetailsCard } from '../car-details-card.tsx'
import { CarPhotos } from '../car-photos.tsx'
import type { RequestHandlers } from '../other-requests.tsx'
import { isSellersTurn, listNames, pendingRequests } from '../request-facts.ts'
import { DescriptionCard } from './description-card.tsx'
import { RequestTable } from './request-table.tsx'
import { SharePanel } from './share-panel.tsx'

type ShareScreenProps = RequestHandlers & {
  car: DashboardCar
  requests: UseQueryResult<Request[]>
  withdrawn: Request | undefined
  onConfirm: (request: Request) => void
  onDeny: (request: Request) => void
  onPropose: (request: Request) => void
  onEdit: () => void
}

/**
 * /car/seller until a buyer is confirmed: the pending requests, else the link to send first, and the
 * listing (R-deals-98, R-cars-20).
 */
export function ShareScreen({ car, requests, withdrawn, onEdit, ...decides }: ShareScreenProps) {
  const all = requests.data ?? []
  const waiting = pendingRequests(all)
  const hasRequest = car.buyerId !== null && mayMove(car, 'SELLER', 'confirm')
  // Decided once per visit, because a request that comes or goes must not move what is on the screen.
  const [beginsWithRequests] = useState(hasRequest)
  const turn = all.length > 0 ? turnText(waiting, all) : null
  const { year, make, carModel } = car
  const requestsPart = (
    <>
      <Stack gap="md">
        <Viewers userId={car.sellerId} vin={car.vin} />
        {turn && <NextStepCard turn={{ text: turn, mine: waiting.some(isSellersTurn) }} />}
        <StageStepper label={texts.progress} steps={texts.stages} current={0} percent={sellerPercent[0]} />
      </Stack>
      <QueryContent from={requests} failed={texts.failed} skeletonRows={1}>
        {(all) =>
          all.length > 0 ? (
            <RequestTable car={car} requests={all} {...decides} />
          ) : (
            <Card title={texts.requests}>
              <Text c="dimmed">{texts.noBuyer}</Text>
            </Card>
          )
        }
      </QueryContent>
    </>
  )
  return (
    <Page
      title={carName({ year, make, carModel })}
      documentTitle={`${texts.shareTitle} · ${carName({ year, make, carModel })}`}
      back={<BackToHomeLink side="selling">{texts.back}</BackToHomeLink>}
    >
      {withdrawn && (
        <Notice kind="info" title={texts.withdrawn(fullName(withdrawn.buyer))}>
          {texts.withdrawnHint}
        </Notice>
      )}
      <LastCalledOffNotice car={car} requests={requests.data ?? []} />
      {/* This buyer was confirmed and the seller signed, but the hold has ended (R-deals-37). */}
      {waiting.filter(hasLapsed).map(({ _id, buyer }) => (
        <Notice key={_id} kind="waiting">
          {texts.lapsed(fullName(buyer))}
        </Notice>
      ))}
      {beginsWithRequests && requestsPart}
      <SharePanel car={car} isNext={!hasRequest} />
      {!beginsWithRequests && requestsPart}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md" verticalSpacing="md">
        <DescriptionCard car={car} />
        <CarDetailsCard car={car} onEdit={onEdit} />
      </SimpleGrid>
      <CarPhotos car={car} />
      <CalledOffSales car={car} sales={car.calledOffSales.slice(1)} requests={requests.data ?? []} />
    </Page>
  )
}

function turnText(waiting: readonly Request[], all: readonly Request[]): string {
  const [first, ...more] = waiting
  if (!first) return texts.onlyDenied(listNames(all), all.length)
  if (!waiting.some(isSellersTurn)) {
    const proposed = waiting.filter(({ isPaused }) => !isPaused)
    return proposed.length > 0
      ? texts.turns.proposed(listNames(proposed))
      : texts.turns.paused(listNames(waiting), waiting.length)
  }
  return more.length > 0 ? texts.turns.reviewMany : texts.turns.review(fullName(first.buyer))
}

const hasLapsed = ({ exclusivityExpired }: Request) => exclusivityExpired
