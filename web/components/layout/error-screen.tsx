import { texts } from '../texts.ts'
import { MessagePage } from './message-page.tsx'

/** Shown when a screen throws while rendering. The error is in the browser's console. */
export const ErrorScreen = ({ isInside = false }: { isInside?: boolean }) => (
  <MessagePage
    title={texts.broken}
    isInside={isInside}
    retry={texts.reload}
    onRetry={() => window.location.reload()}
  >
    {texts.brokenText}
  </MessagePage>
)
