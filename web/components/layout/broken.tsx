import { texts } from '../texts.ts'
import { CalmPage } from './calm-page.tsx'

/** A screen of ours failed while it was drawn. What happened stands in the browser's console. */
export const Broken = ({ isInside = false }: { isInside?: boolean }) => (
  <CalmPage
    title={texts.broken}
    isInside={isInside}
    retry={texts.reload}
    onRetry={() => window.location.reload()}
  >
    {texts.brokenText}
  </CalmPage>
)
