import {
  IconArrowBackUp,
  IconCircleArrowRight,
  IconCircleCheck,
  IconCircleX,
  IconClockHour4,
  IconFlag,
  type IconProps,
  IconTag,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { texts } from '../texts.ts'
import classes from './status-badge.module.css'

export type StatusName = keyof typeof texts.status

/** A word, an icon and a colour: never the colour alone. */
export function StatusBadge({
  status,
  label = texts.status[status],
}: {
  status: StatusName
  label?: string
}) {
  const { icon: Icon, tone } = faces[status]
  return (
    <span className={classes.badge} data-tone={tone}>
      <Icon size={16} stroke={2} aria-hidden />
      {label}
    </span>
  )
}

const faces = {
  PENDING: { icon: IconClockHour4, tone: 'amber' },
  OFFERED: { icon: IconTag, tone: 'amber' },
  OFFER: { icon: IconArrowBackUp, tone: 'amber' },
  YOUR_TURN: { icon: IconCircleArrowRight, tone: 'amber' },
  ACCEPTED: { icon: IconCircleCheck, tone: 'green' },
  REJECTED: { icon: IconCircleX, tone: 'brick' },
  COMPLETED: { icon: IconFlag, tone: 'slate' },
} as const satisfies Record<StatusName, { icon: ComponentType<IconProps>; tone: string }>
