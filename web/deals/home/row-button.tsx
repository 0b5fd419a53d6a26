import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { ActionIcon, Tooltip } from '@mantine/core'
import type { IconProps } from '@tabler/icons-react'
import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef, ComponentType } from 'react'

type Row = {
  /** What it does, such as "Delete"; `car` names the row. */
  label: string
  car: string
  icon: ComponentType<IconProps>
}

/** A row's secondary action: an icon with its label in the tooltip and the accessible name. */
export function RowButton({ label, car, icon: Icon, ...rest }: Row & ComponentPropsWithRef<'button'>) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="default" aria-label={dealTexts.home.of(label, car)} {...rest}>
        <Icon size={20} stroke={1.75} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}

/** The same as a link. */
export const RowLink = createLink(({ label, car, icon: Icon, ...rest }: Row & ComponentPropsWithRef<'a'>) => (
  <Tooltip label={label}>
    <ActionIcon component="a" variant="default" aria-label={dealTexts.home.of(label, car)} {...rest}>
      <Icon size={20} stroke={1.75} aria-hidden />
    </ActionIcon>
  </Tooltip>
))
