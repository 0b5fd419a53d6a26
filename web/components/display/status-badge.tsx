import type { ComponentType } from 'react'
import {
  IconArrowBackUp,
  IconCircleArrowRight,
  IconCircleCheck,
  IconCircleX,
  IconClockHour4,
  IconFlag,
  type IconProps,
  IconTag,
} from '../icons.tsx'
import { texts } from '../texts.ts'
import classes from './status-badge.module.css'

const words: Partial<Record<StatusName, string>> = texts.status
type Worded = keyof typeof texts.status
/** A status of only one module gets its label from that module. */
export type StatusBadgeProps = { status: Worded; label?: string } | { status: StatusName; label: string }

/** A word, an icon and a color, so that the meaning never depends on color alone. */
export function StatusBadge({ status, label = words[status] }: StatusBadgeProps) {
  const { icon: Icon, tone } = styles[status]
  return (
    <span className={classes.badge} data-tone={tone}>
      <Icon size={16} stroke={2} />
      {label}
    </span>
  )
}

type StatusName = keyof typeof styles

const styles = {
  PENDING: { icon: IconClockHour4, tone: 'amber' },
  OFFERED: { icon: IconTag, tone: 'amber' },
  OFFER: { icon: IconArrowBackUp, tone: 'amber' },
  YOUR_TURN: { icon: IconCircleArrowRight, tone: 'amber' },
  ACCEPTED: { icon: IconCircleCheck, tone: 'green' },
  REJECTED: { icon: IconCircleX, tone: 'brick' },
  COMPLETED: { icon: IconFlag, tone: 'slate' },
} as const satisfies Record<string, { icon: ComponentType<IconProps>; tone: string }>
