import { adminLogout, listEmails } from '@keyturn/contract/accounts/endpoints.ts'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { deskTexts } from '@keyturn/contract/dealers/dealer-desk-texts.ts'
import { dealersTexts } from '@keyturn/contract/dealers/texts.ts'
import { insightsTexts } from '@keyturn/contract/deals/insights-texts.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { Stack, Tabs } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { hasErrorCode } from '../../api/errors.ts'
import { useEndpointMutation } from '../../api/mutations/use-endpoint-mutation.ts'
import { administratorKey } from '../../auth/remembered-person.ts'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { Spinner } from '../../components/feedback/spinner.tsx'
import { WorkButton } from '../../components/feedback/work-button.tsx'
import { Card } from '../../components/layout/card.tsx'
import { DocumentTextLink } from '../../components/navigation/document-link.tsx'
import { LinkButton } from '../../components/navigation/link.tsx'
import { PublicPage } from '../public-pages/public-page.tsx'
import { AdministratorForm } from './administrator-form.tsx'
import { ClaimsCard } from './claims-card.tsx'
import { DealersCard } from './dealers-card.tsx'
import { DeliveriesCard } from './deliveries-card.tsx'
import { EmailQueueCard } from './email-queue-card.tsx'
import { InsightsPanel } from './insights/insights-panel.tsx'
import { ListSection } from './list-section.tsx'
import { ListingsCard } from './listings-card.tsx'
import { MailboxCard } from './mailbox-card.tsx'
import { emailQueueQuery, emailsQuery } from './queries.ts'
import { ReportsCard } from './reports-card.tsx'
import { ResetOffersCard } from './reset-offers-card.tsx'
import { SignedDealsCard } from './signed-deals-card.tsx'
import { WholesalersCard } from './wholesalers-card.tsx'

const texts = accountTexts.admin

/** /dev: the administrator's sign-in, then the cards that only an administrator may see. */
export function DevScreen() {
  const mails = useQuery(emailsQuery)
  if (mails.isPending) {
    return (
      <PublicPage title={texts.title}>
        <Spinner />
      </PublicPage>
    )
  }
  if (hasErrorCode(mails.error, listEmails, 'InvalidAdminAccessToken')) return <SignInPage />
  // Without a response, it is unknown whether an administrator is signed in, so nothing is shown.
  if (!mails.data) {
    return (
      <PublicPage title={texts.title}>
        <ErrorNotice onRetry={() => void mails.refetch()}>
          {mails.error?.message ?? texts.mailsFailed}
        </ErrorNotice>
      </PublicPage>
    )
  }
  return <SignedInPage />
}

function SignInPage() {
  return (
    <PublicPage title={texts.title} lead={texts.lead}>
      <Card>
        <AdministratorForm />
      </Card>
    </PublicPage>
  )
}

function SignedInPage() {
  const client = useQueryClient()
  const signOut = useEndpointMutation(adminLogout, {
    onDone: () => client.resetQueries({ queryKey: administratorKey }),
  })
  return (
    <PublicPage
      title={texts.title}
      width="list"
      lead={
        <>
          {texts.signedInAs}. <DocumentTextLink href="/">{texts.toStart}</DocumentTextLink>
        </>
      }
      action={
        <WorkButton variant="default" onClick={() => signOut.attempt({})}>
          {texts.signOut}
        </WorkButton>
      }
    >
      {signOut.error && <ErrorNotice>{texts.signOutFailed}</ErrorNotice>}
      <Tabs defaultValue="decide" keepMounted={false}>
        <Tabs.List mb="lg">
          <Tabs.Tab value="decide">{texts.tabs.decide}</Tabs.Tab>
          <Tabs.Tab value="listings">{dealTexts.listings.title}</Tabs.Tab>
          <Tabs.Tab value="dealers">{dealersTexts.list.tab}</Tabs.Tab>
          <Tabs.Tab value="insights">{insightsTexts.tab}</Tabs.Tab>
          <Tabs.Tab value="mailbox">{texts.tabs.mailbox}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="decide">
          <PendingDecisions />
        </Tabs.Panel>
        <Tabs.Panel value="listings">
          <ListSection title={dealTexts.listings.title}>
            <ListingsCard />
          </ListSection>
        </Tabs.Panel>
        <Tabs.Panel value="dealers">
          <Stack gap="xl">
            <DealersCard />
            <DeliveriesCard />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="insights">
          <InsightsPanel />
        </Tabs.Panel>
        <Tabs.Panel value="mailbox">
          <Mails />
        </Tabs.Panel>
      </Tabs>
    </PublicPage>
  )
}

/** Without a mail server, emails are in the mailbox, otherwise in its queue. */
function Mails() {
  const { data } = useQuery(emailQueueQuery)
  return data?.outgoing ? <EmailQueueCard /> : <MailboxCard />
}

/** Lists with pending decisions come before the others; within a list, pending rows come first. */
const PendingDecisions = () => (
  <Stack gap="xl">
    <WholesalersCard />
    <ReportsCard />
    <ClaimsCard />
    <ListSection
      title={dealTexts.sold.title}
      action={
        <LinkButton to="/dealer" variant="default">
          {deskTexts.title}
        </LinkButton>
      }
    >
      <SignedDealsCard />
    </ListSection>
    <ListSection title={tradeTexts.reset.title} lead={tradeTexts.reset.lead}>
      <ResetOffersCard />
    </ListSection>
  </Stack>
)
