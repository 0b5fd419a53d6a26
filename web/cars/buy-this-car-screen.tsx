import { Page } from '../ui/page.tsx'
import { Spinner } from '../ui/spinner.tsx'

export function BuyThisCarScreen() {
  return (
    <Page title="x">
      <Spinner />
    </Page>
  )
}
