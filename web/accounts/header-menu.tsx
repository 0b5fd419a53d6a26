import { Button, Menu, useMantineColorScheme } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef, ComponentType, ReactNode } from 'react'
import { isScheme, schemes } from '../ui/frame/color-scheme.tsx'
import { IconChevronDown, type IconProps, IconUserCircle } from '../ui/icons.tsx'
import { texts } from '../ui/texts.ts'
import classes from './header-menu.module.css'

type Icon = ComponentType<IconProps>

/** The account menu: its entries, and under them how the app looks. */
export function HeaderMenu({ label, children }: { label: string; children: ReactNode }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Menu position="bottom-end" width={248} offset={6} withinPortal={false}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          className={classes.target}
          leftSection={<IconUserCircle size={22} stroke={1.5} />}
          rightSection={<IconChevronDown size={16} stroke={1.75} className={classes.chevron} />}
        >
          <span className={classes.label}>{label}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.dropdown}>
        {children}
        <Menu.Divider />
        <Menu.Label aria-hidden>{texts.colorScheme}</Menu.Label>
        <Menu.RadioGroup
          aria-label={texts.colorScheme}
          value={colorScheme}
          onChange={(given: string) => setColorScheme(isScheme(given) ? given : 'auto')}
        >
          {schemes.map(({ scheme, word }) => (
            <Menu.RadioItem key={scheme} value={scheme} className={classes.item}>
              {word}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}

export function HeaderMenuItem({
  icon: Icon,
  onClick,
  children,
}: {
  icon?: Icon
  onClick: () => void
  children: ReactNode
}) {
  return (
    <Menu.Item
      className={classes.item}
      onClick={onClick}
      leftSection={Icon && <Icon size={20} stroke={1.5} />}
    >
      {children}
    </Menu.Item>
  )
}

export const HeaderMenuLink = createLink(
  ({ icon: Icon, ...rest }: ComponentPropsWithRef<'a'> & { icon?: Icon }) => (
    <Menu.Item
      component="a"
      {...rest}
      className={classes.item}
      leftSection={Icon && <Icon size={20} stroke={1.5} />}
    />
  ),
)
