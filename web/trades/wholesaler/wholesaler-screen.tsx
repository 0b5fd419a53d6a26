import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { Text } from '@mantine/core'
import { Page } from '../../ui/frame/page.tsx'
import { useUser } from '../../who/session.tsx'
import { Workbench } from './workbench.tsx'

const texts = tradeTexts.wholesaler

/** /wholesaler: for approved wholesalers; anybody else is told so, and the server refuses them too (R-trades-19). */
export function WholesalerScreen() {
  const { userType, approved } = useUser()
  if (userType === 'WHOLESALER' && approved) return <Workbench />
  return (
    <Page title={texts.title}>
      <Unauthorized />
      {userType === 'WHOLESALER' && <Text>{texts.waitingForApproval}</Text>}
    </Page>
  )
}

const Unauthorized = () => <Text>{texts.unauthorized}</Text>
