import { Page } from '../ui/page.tsx'
import { Spinner } from '../ui/spinner.tsx'

export function TradesScreen() {
  return (
    <Page title="Trade Dashboard">
      <Spinner />
    </Page>
  )
}
