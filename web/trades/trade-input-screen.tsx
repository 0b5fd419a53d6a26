import { Page } from '../ui/page.tsx'
import { Spinner } from '../ui/spinner.tsx'

export function TradeInputScreen() {
  return (
    <Page title="Add A Trade">
      <Spinner />
    </Page>
  )
}
