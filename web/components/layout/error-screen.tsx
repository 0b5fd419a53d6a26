import { texts } from '../texts.ts'
import { MessagePage } from './message-page.tsx'

/** Shown when a screen throws while rendering. The browser's console has the error. */
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
