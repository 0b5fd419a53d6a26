import { Page } from '../ui/page.tsx'
import { Spinner } from '../ui/spinner.tsx'

export function SoldCarsScreen() {
  return (
    <Page title="List Of Sold Cars">
      <Spinner />
    </Page>
  )
}
