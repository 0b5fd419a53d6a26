import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { Group } from '@mantine/core'
import { useLogOut } from '../../auth/session.tsx'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { WorkButton } from '../../components/feedback/work-button.tsx'
import { Page } from '../../components/layout/page.tsx'
import { LinkButton } from '../../components/navigation/link.tsx'

const texts = accountTexts.tradersOnly

/** Explains which account type a page needs, and how a wholesaler can get one. */
export function TradersOnly({ title = texts.title }: { title?: string }) {
  const { isStuck, logOut } = useLogOut()
  return (
    <Page title={title} width="wizard">
      <Notice kind="info" title={texts.sentence}>
        {texts.how}
      </Notice>
      {isStuck && <ErrorNotice onRetry={logOut}>{accountTexts.menu.logOutFailed}</ErrorNotice>}
      <Group gap="sm">
        <WorkButton variant="default" onClick={logOut}>
          {texts.logOut}
        </WorkButton>
        <LinkButton to="/wholesaler">{texts.toWholesaler}</LinkButton>
      </Group>
    </Page>
  )
}
