import type { Refusal } from '@keyturn/contract/kit/refusal.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { Group, VisuallyHidden } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { Notice } from '../ui/notice.tsx'
import { texts as shared } from '../ui/texts.ts'
import type { TradeChange } from './seen-trade.ts'

const texts = tradeTexts.changed

type ChangedNoticeProps = {
  /** What the server said, when it was this person's own wish that came too late. */
  refusal?: Refusal | null
  isGone?: boolean
  changes: readonly TradeChange[]
}

/** Says what somebody else, or the clock, has changed meanwhile. */
export function ChangedNotice({ refusal, isGone, changes }: ChangedNoticeProps) {
  return (
    <Notice kind="waiting" title={isGone ? texts.gone : sentenceOf(refusal)}>
      {changes.map(({ label, before, after }) => (
        <Group key={label} gap="xs" wrap="wrap">
          {label}
          <VisuallyHidden>{shared.from}</VisuallyHidden>
          <del>{before}</del>
          <IconArrowRight size={16} stroke={1.75} aria-hidden />
          <VisuallyHidden>{shared.to}</VisuallyHidden>
          <strong>{after}</strong>
        </Group>
      ))}
    </Notice>
  )
}

/** Of a stale version the changes below say more. */
const sentenceOf = (refusal: Refusal | null | undefined) =>
  refusal && refusal.code !== 'StaleVersion' ? refusal.message : texts.sentence
