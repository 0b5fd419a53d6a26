import { pausedSentence } from '@keyturn/contract/accounts/suspension-texts.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { Notice } from '../../components/feedback/notice.tsx'

/** Says that the deal is paused and whom to write to, but not why (R-deals-117). */
export const PausedNotice = ({ deal: { isPaused, pausedContact } }: { deal: Progress }) =>
  isPaused && <Notice kind="waiting">{pausedSentence(pausedContact)}</Notice>
