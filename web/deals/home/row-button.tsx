import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { ActionIcon, Tooltip } from '@mantine/core'
import type { IconProps } from '@tabler/icons-react'
import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef, ComponentType } from 'react'

type Row = {
  /** "Delete": what it does; `car` says to which row. */
  label: string
  car: string
  icon: ComponentType<IconProps>
}

/** A row's lesser action: an icon with its word in a tooltip and in its name. */
export function RowButton({ label, car, icon: Icon, ...rest }: Row & ComponentPropsWithRef<'button'>) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="default" aria-label={dealTexts.home.of(label, car)} {...rest}>
        <Icon size={20} stroke={1.75} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}

/** The same, where it leads somewhere. */
export const RowLink = createLink(({ label, car, icon: Icon, ...rest }: Row & ComponentPropsWithRef<'a'>) => (
  <Tooltip label={label}>
    <ActionIcon component="a" variant="default" aria-label={dealTexts.home.of(label, car)} {...rest}>
      <Icon size={20} stroke={1.75} aria-hidden />
    </ActionIcon>
  </Tooltip>
))
