import { type DealPackage, readPackage } from '@keyturn/contract/agreements/endpoints.ts'
import { packageTexts as texts } from '@keyturn/contract/agreements/term-sheet-texts.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { completeDeal } from '@keyturn/contract/deals/endpoints.ts'
import { mayComplete } from '@keyturn/contract/deals/may-move.ts'
import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { hasErrorCode } from '../../../api/errors.ts'
import { useEndpointMutation } from '../../../api/mutations/use-endpoint-mutation.ts'
import { isAdministratorQuery } from '../../../auth/is-administrator-query.ts'
import { ConfirmDialog } from '../../../components/feedback/confirm-dialog.tsx'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { Page } from '../../../components/layout/page.tsx'
import { QueryContent } from '../../../components/lists/query-content.tsx'
import { LinkButton } from '../../../components/navigation/link.tsx'
import { AgreementSheet } from '../../agreements/agreement-sheet.tsx'
import { DownloadAgreement } from '../../agreements/download-agreement.tsx'
import { packageQuery } from '../queries.ts'
import { failureText } from './failure-text.ts'
import { CarCard, FinancingCard, PartyCards, StateCard, TradesCard } from './package-cards.tsx'

/**
 * /pkg?pkgId: the package that the dealer receives, first in readable form, then as raw JSON
 * (R-deals-44).
 */
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
      <QueryContent from={found} failed={loadFailure} skeleton="cards" skeletonRows={4}>
        {(deal) => (
          <>
            <StateCard deal={deal} />
            <PartyCards deal={deal} />
            <CarCard deal={deal} />
            <FinancingCard deal={deal} />
            <TradesCard deal={deal} />
            <AgreementSheet
              terms={deal.agreement.terms}
              seller={deal.agreement.seller}
              buyer={deal.agreement.buyer}
            />
            <Group justify="flex-end">
              <DownloadAgreement pkgId={deal._id} vin={deal.car.vin} />
            </Group>
            <Card title={texts.raw}>
              <Text component="pre" size="xs" ff="monospace" m={0} style={wrapAnywhere}>
                {rawJson(deal)}
              </Text>
            </Card>
          </>
        )}
      </QueryContent>
    </Page>
  )
}

const NotFound = () => (
  <ErrorNotice
    action={
      <LinkButton to="/home" variant="default">
        {texts.toDashboard}
      </LinkButton>
    }
  >
    {texts.notFound}
  </ErrorNotice>
)

/** Uses the API's format, in which amounts are dollars. */
const rawJson = (deal: DealPackage) => JSON.stringify(readPackage.response.encode(deal), null, 2)

/** A long digest must not make the page wider than a phone. */
const wrapAnywhere = { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' } as const

const loadFailure = (fault: Error) =>
  hasErrorCode(fault, readPackage, 'NotFound') ? <NotFound /> : texts.failed

/** Completes the deal. Shown only to an administrator (R-deals-43). */
function CompleteDeal({ deal }: { deal: DealPackage }) {
  const isAdministrator = useQuery(isAdministratorQuery).data === true
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  const { act } = useEndpointMutation(completeDeal, {
    refresh: [['deals'], ['cars']],
    success: texts.done,
    onDone: close,
  })
  if (!isAdministrator || !mayComplete(deal)) return null
  return (
    <>
      <Button onClick={() => setOpen(true)}>{texts.complete}</Button>
      {isOpen && (
        <ConfirmDialog
          title={texts.complete}
          confirm={texts.complete}
          failed={failureText}
          onConfirm={() => act({ params: { pkgId: deal._id } })}
          onClose={close}
        >
          <Text>{texts.completeQuestion(carName(deal.car))}</Text>
        </ConfirmDialog>
      )}
    </>
  )
}
