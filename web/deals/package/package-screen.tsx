import { carName } from '@keyturn/contract/cars/rules.ts'
import { packageTexts as texts } from '@keyturn/contract/deals/agreement-texts.ts'
import { finalPackage } from '@keyturn/contract/deals/calls.ts'
import type { DealPackage } from '@keyturn/contract/deals/shapes.ts'
import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { Trouble } from '../../ui/feedback/trouble.tsx'
import { Card } from '../../ui/frame/card.tsx'
import { LinkButton } from '../../ui/frame/link.tsx'
import { Page } from '../../ui/frame/page.tsx'
import { Loaded } from '../../ui/lists/loaded.tsx'
import { isRefusedWith } from '../../wire/refusals.ts'
import { AgreementPaper } from '../agreement/agreement-paper.tsx'
import { DownloadAgreement } from '../agreement/download-agreement.tsx'
import { packageQuery } from '../queries.ts'
import { CompleteDeal } from './complete-deal.tsx'
import { CarCard, FinancingCard, PartyCards, StateCard, TradesCard } from './package-cards.tsx'

/** /pkg?pkgId: what the dealer receives; readable first, then as raw JSON (R-deals-44). */
export function PackageScreen() {
  const { pkgId } = useSearch({ from: '/signed-in/pkg' })
  if (pkgId) return <PackagePage pkgId={pkgId} />
  return (
    <Page title={texts.title}>
      <NotFound />
    </Page>
  )
}

function PackagePage({ pkgId }: { pkgId: string }) {
  const found = useQuery(packageQuery(pkgId))
  const name = found.data && carName(found.data.car)
  return (
    <Page
      title={texts.title}
      documentTitle={name && `${texts.title} · ${name}`}
      lead={name}
      action={found.data && <CompleteDeal deal={found.data} />}
      width="paper"
    >
      <Loaded from={found} failed={reasonOf} skeleton="cards" skeletonRows={4}>
        {(deal) => (
          <>
            <StateCard deal={deal} />
            <PartyCards deal={deal} />
            <CarCard deal={deal} />
            <FinancingCard deal={deal} />
            <TradesCard deal={deal} />
            <AgreementPaper
              terms={deal.agreement.terms}
              seller={deal.agreement.seller}
              buyer={deal.agreement.buyer}
            />
            <Group justify="flex-end">
              <DownloadAgreement pkgId={deal._id} vin={deal.car.vin} />
            </Group>
            <Card title={texts.raw}>
              <Text component="pre" size="xs" ff="monospace" m={0} style={breaking}>
                {rawJson(deal)}
              </Text>
            </Card>
          </>
        )}
      </Loaded>
    </Page>
  )
}

const NotFound = () => (
  <Trouble
    action={
      <LinkButton to="/home" variant="default">
        {texts.toDashboard}
      </LinkButton>
    }
  >
    {texts.notFound}
  </Trouble>
)

/** In wire form: dollars, not cents. */
const rawJson = (deal: DealPackage) => JSON.stringify(finalPackage.answer.encode(deal), null, 2)

/** A long digest must not push the page wider than a phone. */
const breaking = { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' } as const

const reasonOf = (fault: Error) =>
  isRefusedWith(fault, finalPackage, 'NotFound') ? <NotFound /> : texts.failed
