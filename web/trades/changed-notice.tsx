import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { Group, VisuallyHidden } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { Notice } from '../ui/notice.tsx'
import { texts as shared } from '../ui/texts.ts'
import type { TradeChange } from './seen-trade.ts'

type ChangedNoticeProps = {
  /** Why, in the server's words, when it was this person's own wish that came too late. */
  sentence?: string
  changes: readonly TradeChange[]
}

/** Says what somebody else, or the clock, has changed meanwhile. */
export function ChangedNotice({ sentence = tradeTexts.changed.sentence, changes }: ChangedNoticeProps) {
  return (
    <Notice kind="waiting" title={sentence}>
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
