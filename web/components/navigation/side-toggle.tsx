import { SegmentedControl } from '@mantine/core'
import type { SideName } from '../theme/theme.ts'
import classes from './side-toggle.module.css'

type SideToggleProps = {
  label: string
  selling: string
  buying: string
  value: SideName
  onChange: (side: SideName) => void
}

export function SideToggle({ label, selling, buying, value, onChange }: SideToggleProps) {
  return (
    <SegmentedControl
      aria-label={label}
      classNames={classes}
      value={value}
      onChange={(side) => onChange(side === 'buying' ? 'buying' : 'selling')}
      data={[
        { value: 'selling', label: selling },
        { value: 'buying', label: buying },
      ]}
    />
  )
}
