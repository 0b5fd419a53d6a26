import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { ActionIcon, Menu } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import {
  type ComponentPropsWithRef,
  type ComponentType,
  createContext,
  type ReactNode,
  use,
  useId,
  useRef,
} from 'react'
import { IconDots, type IconProps } from '../../../components/icons.tsx'
import classes from './row-menu.module.css'

const texts = dealTexts.home

type RowMenuState = { car: string; takeFocus: () => void; reason?: string }
const RowMenuContext = createContext<RowMenuState>({ car: '', takeFocus: () => {} })

type RowMenuProps = {
  car: string
  /** Why the disabled entries cannot be chosen now. */
  reason?: string
  children: ReactNode
}

/** The menu of a row's other actions; the next action has its own button. */
export function RowMenu({ car, reason, children }: RowMenuProps) {
  const reasonId = useId()
  const target = useRef<HTMLButtonElement>(null)
  // A dialog returns the focus to where it was. That must not be a menu entry, which is removed.
  const takeFocus = () => target.current?.focus({ preventScroll: true })
  return (
    <Menu position="bottom-end" offset={6}>
      <Menu.Target>
        <ActionIcon ref={target} flex="0 0 auto" variant="default" aria-label={texts.of(texts.more, car)}>
          <IconDots size={20} stroke={1.75} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {reason && (
          <Menu.Label id={reasonId} maw="16rem">
            {reason}
          </Menu.Label>
        )}
        <RowMenuContext value={{ car, takeFocus, reason: reason && reasonId }}>{children}</RowMenuContext>
      </Menu.Dropdown>
    </Menu>
  )
}

type Entry = { label: string; icon: ComponentType<IconProps> }

type RowMenuItemProps = Entry & { disabled?: boolean; onSelect?: () => void }

export function RowMenuItem({ label, icon, disabled, onSelect }: RowMenuItemProps) {
  const { car, takeFocus, reason } = use(RowMenuContext)
  const select = () => {
    takeFocus()
    onSelect?.()
  }
  return (
    <Menu.Item
      aria-label={texts.of(label, car)}
      leftSection={iconElement(icon)}
      // Can be focused, so that its reason is read and the keys of the menu work.
      aria-disabled={disabled}
      aria-describedby={disabled ? reason : undefined}
      className={disabled ? classes.disabled : undefined}
      closeMenuOnClick={!disabled}
      onClick={disabled ? undefined : select}
    >
      {label}
    </Menu.Item>
  )
}

export const RowMenuLink = createLink(({ label, icon, ...rest }: Entry & ComponentPropsWithRef<'a'>) => {
  const { car } = use(RowMenuContext)
  return (
    <Menu.Item component="a" {...rest} aria-label={texts.of(label, car)} leftSection={iconElement(icon)}>
      {label}
    </Menu.Item>
  )
})

const iconElement = (Icon: ComponentType<IconProps>) => <Icon size={18} stroke={1.75} />
