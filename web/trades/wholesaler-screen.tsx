import { Page } from '../ui/page.tsx'
import { Spinner } from '../ui/spinner.tsx'

export function WholesalerScreen() {
  return (
    <Page title="Wholesaler Dashboard">
      <Spinner />
    </Page>
  )
}
