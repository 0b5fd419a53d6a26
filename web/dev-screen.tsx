import { adminLogout } from '@keyturn/contract/accounts/calls.ts'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { AdministratorForm } from './accounts/administrator-form.tsx'
import { ListSection } from './accounts/list-section.tsx'
import { MailboxCard } from './accounts/mailbox-card.tsx'
import { mailsQuery } from './accounts/queries.ts'
import { WholesalersCard } from './accounts/wholesalers-card.tsx'
import { useAct } from './act.ts'
import { ListingsCard } from './deals/listings-card.tsx'
import { SignedDealsCard } from './deals/signed-deals-card.tsx'
import { administratorKey } from './person.ts'
import { PublicPage } from './public-page.tsx'
import { ResetOffersCard } from './trades/reset-offers-card.tsx'
import { Card } from './ui/card.tsx'
import { TextLink } from './ui/link.tsx'
import { Spinner } from './ui/spinner.tsx'
import { Trouble } from './ui/trouble.tsx'
import { WorkButton } from './ui/work-button.tsx'

const texts = accountTexts.admin

/** /dev: the administrator's way in, and, once in, what only an administrator may see. It stands above the rooms. */
export function DevScreen() {
  const mails = useQuery(mailsQuery)
  if (mails.isPending) {
    return (
      <PublicPage title={texts.title}>
        <Spinner />
      </PublicPage>
    )
  }
  if (mails.error?.code === 'InvalidAdminAccessToken') return <Door />
  // Who could not be answered yet may be anybody.
  if (!mails.data) {
    return (
      <PublicPage title={texts.title}>
        <Trouble onRetry={() => void mails.refetch()}>{mails.error?.message ?? texts.mailsFailed}</Trouble>
      </PublicPage>
    )
  }
  return <Inside />
}

function Door() {
  return (
    <PublicPage title={texts.title} lead={texts.lead}>
      <Card>
        <AdministratorForm />
      </Card>
    </PublicPage>
  )
}

function Inside() {
  const client = useQueryClient()
  const signOut = useAct(adminLogout, {
    onDone: () => client.resetQueries({ queryKey: administratorKey }),
  })
  return (
    <PublicPage
      title={texts.title}
      width="list"
      lead={
        <>
          {texts.signedInAs}. <TextLink to="/">{texts.toStart}</TextLink>
        </>
      }
      action={
        <WorkButton variant="default" onClick={() => signOut.attempt({})}>
          {texts.signOut}
        </WorkButton>
      }
    >
      {signOut.refusal && <Trouble>{texts.signOutFailed}</Trouble>}
      <MailboxCard />
      <WholesalersCard />
      <ListSection title={tradeTexts.reset.title} lead={tradeTexts.reset.lead}>
        <ResetOffersCard />
      </ListSection>
      <ListSection title={dealTexts.listings.title}>
        <ListingsCard />
      </ListSection>
      <ListSection title={dealTexts.sold.title}>
        <SignedDealsCard />
      </ListSection>
    </PublicPage>
  )
}
