import { type DealPackage, readPackage } from '@keyturn/contract/agreements/endpoints.ts'
import { packageTexts as texts } from '@keyturn/contract/agreements/term-sheet-texts.ts'
import { carName } from '@keyturn/contract/cars/rules.ts'
import { dealersTexts } from '@keyturn/contract/dealers/texts.ts'
import { completeDeal } from '@keyturn/contract/deals/endpoints.ts'
import { mayComplete } from '@keyturn/contract/deals/may-move.ts'
import { Button, Tabs, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { hasErrorCode } from '../../../api/errors.ts'
import { useEndpointMutation } from '../../../api/mutations/use-endpoint-mutation.ts'
import { isOperatorQuery } from '../../../auth/is-administrator-query.ts'
import { StatusBadge } from '../../../components/display/status-badge.tsx'
import { ConfirmDialog } from '../../../components/feedback/confirm-dialog.tsx'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { Page } from '../../../components/layout/page.tsx'
import { QueryContent } from '../../../components/lists/query-content.tsx'
import { LinkButton } from '../../../components/navigation/link.tsx'
import { AdminPasswordDialog } from '../../accounts/admin-password-dialog.tsx'
import { agreementStatusQuery, packageQuery } from '../queries.ts'
import { failureText } from './failure-text.ts'
import { PackageDocument } from './package-document.tsx'
import classes from './package-screen.module.css'

/**
 * /pkg?pkgId: the package that the dealer receives, as a document and, on the other tab, as raw
 * JSON (R-deals-44, R-deals-95).
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
    <Tabs defaultValue="document" keepMounted={false}>
      <Page
        title={texts.title}
        documentTitle={name && `${texts.title} · ${name}`}
        quietTitle
        action={
          found.data && (
            <>
              <CompleteDeal deal={found.data} />
              <Tabs.List>
                <Tabs.Tab value="document">{texts.document}</Tabs.Tab>
                <Tabs.Tab value="raw">{texts.raw}</Tabs.Tab>
              </Tabs.List>
            </>
          )
        }
      >
        <QueryContent from={found} failed={loadFailure} skeleton="cards" skeletonRows={4}>
          {(deal) => (
            <>
              <Tabs.Panel value="document" className={classes.document}>
                <PackageDocument deal={deal} state={<State deal={deal} />} />
              </Tabs.Panel>
              <Tabs.Panel value="raw">
                <pre className={classes.raw}>{rawJson(deal)}</pre>
              </Tabs.Panel>
            </>
          )}
        </QueryContent>
      </Page>
    </Tabs>
  )
}

/** Whether the sale is complete, can still be, or has ended. */
function State({ deal }: { deal: DealPackage }) {
  const state = useQuery(agreementStatusQuery(deal._id)).data?.state
  if (deal.calledOff || state === 'cancelled')
    return <StatusBadge status="REJECTED" label={dealersTexts.calledOff.by(deal.dealer)} />
  if (deal.completed) return <StatusBadge status="COMPLETED" label={texts.completed} />
  if (state === 'superseded') return <StatusBadge status="REJECTED" label={texts.superseded} />
  return state && <StatusBadge status="PENDING" label={texts.pending} />
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

const loadFailure = (fault: Error) =>
  hasErrorCode(fault, readPackage, 'NotFound') ? <NotFound /> : texts.failed

/** Completes the deal. Shown only to an administrator (R-deals-43). */
function CompleteDeal({ deal }: { deal: DealPackage }) {
  const isOperator = useQuery(isOperatorQuery).data === true
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  const { act } = useEndpointMutation(completeDeal, {
    refresh: [['deals'], ['cars']],
    success: texts.done,
    onDone: close,
  })
  if (!isOperator || !mayComplete(deal)) return null
  return (
    <>
      <AdminPasswordDialog />
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
