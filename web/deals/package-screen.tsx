import { Page } from '../ui/page.tsx'
import { Spinner } from '../ui/spinner.tsx'

export function PackageScreen() {
  return (
    <Page title="Final package">
      <Spinner />
    </Page>
  )
}
