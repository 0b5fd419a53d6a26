import { texts } from '../texts.ts'
import { MessagePage } from './message-page.tsx'

/** A screen of ours failed while it was drawn. What happened stands in the browser's console. */
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
