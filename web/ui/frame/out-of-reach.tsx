import { useLineIsBack } from '../feedback/use-line.ts'
import { texts } from '../texts.ts'
import { CalmPage } from './calm-page.tsx'

/** The page cannot be shown before the server has answered; it goes on by itself once it does. */
export function OutOfReach({ cause, onRetry }: { cause: string; onRetry: () => unknown }) {
  useLineIsBack(onRetry)
  return (
    <CalmPage title={texts.outOfReach} onRetry={onRetry}>
      {cause} {texts.byItself}
    </CalmPage>
  )
}
