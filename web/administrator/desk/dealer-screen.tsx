import { readDesk } from '@keyturn/contract/deals/dealers/dealer-desk.ts'
import { deskTexts as texts } from '@keyturn/contract/deals/dealers/dealer-desk-texts.ts'
import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { PublicPage } from '../../pages/public-page.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Spinner } from '../../ui/feedback/spinner.tsx'
import { Trouble } from '../../ui/feedback/trouble.tsx'
import { Card } from '../../ui/frame/card.tsx'
import { BackLink } from '../../ui/frame/link.tsx'
import { isRefusedWith } from '../../wire/refusals.ts'
import { AdministratorForm } from '../administrator-form.tsx'
import { DeskDealPage } from './desk-deal-page.tsx'
import { DeskDeals } from './desk-deals.tsx'
import { deskQuery } from './queries.ts'

/** /dealer: the dealer desk that is built in, for the administrator. With a package in the address, one deal of it. */
export function DealerScreen() {
  const desk = useQuery(deskQuery)
  const { pkgId } = useSearch({ from: '/dealer' })
  if (isRefusedWith(desk.error, readDesk, 'InvalidAdminAccessToken')) return <Door />
  if (!desk.data) {
    return (
      <PublicPage title={texts.title}>
        {desk.isPending ? (
          <Spinner />
        ) : (
          <Trouble onRetry={() => void desk.refetch()}>{desk.error?.message ?? texts.failed}</Trouble>
        )}
      </PublicPage>
    )
  }
  const { isOn, dealer } = desk.data
  if (isOn && pkgId) return <DeskDealPage pkgId={pkgId} key={pkgId} />
  return (
    <PublicPage
      title={texts.title}
      width="list"
      lead={isOn ? texts.lead(dealer) : texts.standsIn}
      back={<BackLink to="/dev">{texts.toAdministrator}</BackLink>}
    >
      {isOn ? (
        <Stack gap="xl">
          <DeskDeals list="waiting" />
          <DeskDeals list="done" />
        </Stack>
      ) : (
        <Notice kind="info" title={texts.off.title}>
          {texts.off.text(dealer)}
        </Notice>
      )}
    </PublicPage>
  )
}

const Door = () => (
  <PublicPage title={texts.title} lead={texts.standsIn}>
    <Card>
      <AdministratorForm />
    </Card>
  </PublicPage>
)
