import { administratorTexts } from '@keyturn/contract/accounts/administrator-texts.ts'
import { type Me, readMe } from '@keyturn/contract/accounts/administrators.ts'
import { adminLogout } from '@keyturn/contract/accounts/endpoints.ts'
import { suspensionTexts } from '@keyturn/contract/accounts/suspension-texts.ts'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { deskTexts } from '@keyturn/contract/dealers/dealer-desk-texts.ts'
import { dealersTexts } from '@keyturn/contract/dealers/texts.ts'
import { insightsTexts } from '@keyturn/contract/deals/insights-texts.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { Stack, Tabs } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { hasErrorCode } from '../../api/errors.ts'
import { useEndpointMutation } from '../../api/mutations/use-endpoint-mutation.ts'
import { devTabs } from '../../api/search-params.ts'
import { administratorKey } from '../../auth/remembered-person.ts'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { Spinner } from '../../components/feedback/spinner.tsx'
import { WorkButton } from '../../components/feedback/work-button.tsx'
import { Card } from '../../components/layout/card.tsx'
import { DocumentTextLink } from '../../components/navigation/document-link.tsx'
import { LinkButton } from '../../components/navigation/link.tsx'
import { AdminPasswordDialog } from '../accounts/admin-password-dialog.tsx'
import { PublicPage } from '../public-pages/public-page.tsx'
import { AdministratorForm } from './administrator-form.tsx'
import { AdminEventsCard } from './administrators/admin-events-card.tsx'
import { AdministratorsCard } from './administrators/administrators-card.tsx'
import { EnrollCard, RecoveryCodesCard } from './administrators/enroll-card.tsx'
import { useIsOperator } from './administrators/operator-only.tsx'
import { ClaimsCard } from './claims-card.tsx'
import { DealersCard } from './dealers-card.tsx'
import { DeliveriesCard } from './deliveries-card.tsx'
import { EmailQueueCard } from './email-queue-card.tsx'
import { InsightsPanel } from './insights/insights-panel.tsx'
import { ListSection } from './list-section.tsx'
import { ListingsCard } from './listings-card.tsx'
import { MailboxCard } from './mailbox-card.tsx'
import { PeopleCard } from './people/people-card.tsx'
import { PersonPage } from './people/person-page.tsx'
import { emailQueueQuery, meQuery } from './queries.ts'
import { ReportsCard } from './reports-card.tsx'
import { ResetOffersCard } from './reset-offers-card.tsx'
import { SignedDealsCard } from './signed-deals-card.tsx'
import { WholesalersCard } from './wholesalers-card.tsx'

const texts = accountTexts.admin

/** /dev: the administrator's sign-in, then the cards that only an administrator may see. */
export function DevScreen() {
  const me = useQuery(meQuery)
  const { person } = useSearch({ from: '/dev' })
  // Kept here, because they are not shown again, and `me` changes while they are on the screen.
  const [recoveryCodes, setRecoveryCodes] = useState<string[] | null>(null)
  if (me.isPending) {
    return (
      <PublicPage title={texts.title}>
        <Spinner />
      </PublicPage>
    )
  }
  if (hasErrorCode(me.error, readMe, 'InvalidAdminAccessToken')) return <SignInPage />
  // Without a response, it is unknown whether an administrator is signed in, so nothing is shown.
  if (!me.data) {
    return (
      <PublicPage title={texts.title}>
        <ErrorNotice onRetry={() => void me.refetch()}>{me.error?.message ?? texts.meFailed}</ErrorNotice>
      </PublicPage>
    )
  }
  return (
    <>
      <AdminPasswordDialog />
      {person && !me.data.mustEnroll && !recoveryCodes ? (
        <PersonPage key={person} userId={person} />
      ) : (
        <SignedInPage me={me.data} recoveryCodes={recoveryCodes} onRecoveryCodes={setRecoveryCodes} />
      )}
    </>
  )
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

type SignedInPageProps = {
  me: Me
  recoveryCodes: string[] | null
  onRecoveryCodes: (codes: string[] | null) => void
}

function SignedInPage({ me, recoveryCodes, onRecoveryCodes }: SignedInPageProps) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const finishEnrollment = () => {
    onRecoveryCodes(null)
    void client.resetQueries({ queryKey: administratorKey })
  }
  const signOut = useEndpointMutation(adminLogout, {
    onDone: async () => {
      // The next administrator must not repeat this one's search.
      await navigate({ to: '/dev', search: {}, replace: true })
      await client.resetQueries({ queryKey: administratorKey })
    },
  })
  return (
    <PublicPage
      title={texts.title}
      width="list"
      lead={
        <>
          {administratorTexts.signedInAs(me.username, roleOf(me))}.{' '}
          <DocumentTextLink href="/">{texts.toStart}</DocumentTextLink>
        </>
      }
      action={
        <WorkButton variant="default" onClick={() => signOut.attempt({})}>
          {texts.signOut}
        </WorkButton>
      }
    >
      {signOut.error && <ErrorNotice>{texts.signOutFailed}</ErrorNotice>}
      {me.role === 'SUPPORT' && <Notice kind="info">{administratorTexts.onlyOperators}</Notice>}
      {recoveryCodes ? (
        <RecoveryCodesCard codes={recoveryCodes} onStored={finishEnrollment} />
      ) : me.mustEnroll ? (
        <EnrollCard me={me} onEnrolled={onRecoveryCodes} />
      ) : (
        <Workplace me={me} onEnrolled={onRecoveryCodes} />
      )}
    </PublicPage>
  )
}

const roleOf = ({ role, isFromSettings }: Me) =>
  isFromSettings ? administratorTexts.fromServer : administratorTexts.roles[role]

type WorkplaceProps = { me: Me; onEnrolled: (recoveryCodes: string[]) => void }

function Workplace({ me, onEnrolled }: WorkplaceProps) {
  const { tab = devTabs[0] } = useSearch({ from: '/dev' })
  const navigate = useNavigate()
  const open = (chosen: string | null) =>
    void navigate({ to: '/dev', search: { tab: devTabs.find((one) => one === chosen) }, replace: true })
  return (
    <Tabs value={tab} onChange={open} keepMounted={false}>
      <Tabs.List mb="lg">
        <Tabs.Tab value="decide">{texts.tabs.decide}</Tabs.Tab>
        <Tabs.Tab value="people">{suspensionTexts.people.tab}</Tabs.Tab>
        <Tabs.Tab value="listings">{dealTexts.listings.title}</Tabs.Tab>
        <Tabs.Tab value="dealers">{dealersTexts.list.tab}</Tabs.Tab>
        <Tabs.Tab value="insights">{insightsTexts.tab}</Tabs.Tab>
        <Tabs.Tab value="administrators">{administratorTexts.tab}</Tabs.Tab>
        <Tabs.Tab value="mailbox">{texts.tabs.mailbox}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="decide">
        <PendingDecisions />
      </Tabs.Panel>
      <Tabs.Panel value="people">
        <PeopleCard />
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
      <Tabs.Panel value="administrators">
        <Stack gap="xl">
          {!me.hasCodes && !me.isFromSettings && <EnrollCard me={me} onEnrolled={onEnrolled} />}
          <AdministratorsCard />
          <AdminEventsCard />
        </Stack>
      </Tabs.Panel>
      <Tabs.Panel value="mailbox">
        <Mails />
      </Tabs.Panel>
    </Tabs>
  )
}

/** Without a mail server, emails are in the mailbox, otherwise in its queue. */
function Mails() {
  const { data } = useQuery(emailQueueQuery)
  const isOperator = useIsOperator()
  if (data?.outgoing) return <EmailQueueCard />
  return isOperator ? (
    <MailboxCard />
  ) : (
    <ListSection title={accountTexts.admin.mails} lead={accountTexts.admin.mailsForOperators} />
  )
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
