// Also for the dashboard of deals, which everybody may open.
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { Group } from '@mantine/core'
import { Notice } from '../ui/feedback/notice.tsx'
import { Trouble } from '../ui/feedback/trouble.tsx'
import { WorkButton } from '../ui/feedback/work-button.tsx'
import { LinkButton } from '../ui/frame/link.tsx'
import { Page } from '../ui/frame/page.tsx'
import { useLogOut } from '../who/session.tsx'

const texts = accountTexts.tradersOnly

/** What account a page takes, and how a wholesaler gets one. */
export function TradersOnly({ title = texts.title }: { title?: string }) {
  const { isStuck, logOut } = useLogOut()
  return (
    <Page title={title} width="wizard">
      <Notice kind="info" title={texts.sentence}>
        {texts.how}
      </Notice>
      {isStuck && <Trouble onRetry={logOut}>{accountTexts.menu.logOutFailed}</Trouble>}
      <Group gap="sm">
        <WorkButton variant="default" onClick={logOut}>
          {texts.logOut}
        </WorkButton>
        <LinkButton to="/wholesaler">{texts.toWholesaler}</LinkButton>
      </Group>
    </Page>
  )
}
