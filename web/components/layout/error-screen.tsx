import { texts } from '../texts.ts'
import { ErrorPage } from './error-page.tsx'

/** Shown when a screen throws while rendering. The error is in the browser's console. */
export const ErrorScreen = ({ isInside = false }: { isInside?: boolean }) => (
  <ErrorPage
    title={texts.broken}
    isInside={isInside}
    retry={texts.reload}
    onRetry={() => window.location.reload()}
  >
    {texts.brokenText}
  </ErrorPage>
)
