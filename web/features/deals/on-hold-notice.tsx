import { onHoldSentence } from '@keyturn/contract/accounts/suspension-texts.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { Notice } from '../../components/feedback/notice.tsx'

/** Says that the deal is on hold and whom to write to, but not why (R-deals-117). */
export const OnHoldNotice = ({ deal: { isPaused, pausedContact } }: { deal: Progress }) =>
  isPaused && <Notice kind="waiting">{onHoldSentence(pausedContact)}</Notice>
