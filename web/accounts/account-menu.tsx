import { homeOf } from '@keyturn/contract/accounts/rules.ts'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { Button, Menu, useMantineColorScheme } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef, ComponentType, ReactNode } from 'react'
import { isScheme, schemes } from '../ui/frame/color-scheme.tsx'
import {
  IconArrowsExchange,
  IconChevronDown,
  IconHelpCircle,
  IconLayoutDashboard,
  IconListCheck,
  IconLogout,
  type IconProps,
  IconSettings,
  IconUser,
  IconUserCircle,
} from '../ui/icons.tsx'
import { texts as shared } from '../ui/texts.ts'
import { useUser } from '../who/session.tsx'
import { useView } from '../who/view.ts'
import classes from './header-menu.module.css'

const texts = accountTexts.menu

/** My Account, in the header of everyone who is signed in (R-accounts-39). */
export function AccountMenu({ onLogOut }: { onLogOut: () => void }) {
  const { userType, approved } = useUser()
  const [view] = useView()
  return (
    <HeaderMenu label={texts.label}>
      <HeaderMenuLink to={homeOf(userType)} icon={IconLayoutDashboard}>
        {view === 'buying' ? texts.purchaseDashboard : texts.dashboard}
      </HeaderMenuLink>
      {view === 'buying' && userType !== 'WHOLESALER' && (
        <HeaderMenuLink to="/trade" icon={IconArrowsExchange}>
          {texts.tradeDashboard}
        </HeaderMenuLink>
      )}
      {userType === 'WHOLESALER' && approved && (
        <HeaderMenuLink to="/listofcars" icon={IconListCheck}>
          {texts.soldCars}
        </HeaderMenuLink>
      )}
      <HeaderMenuLink to="/profile" icon={IconUser}>
        {texts.profile}
      </HeaderMenuLink>
      <HeaderMenuLink to="/help" icon={IconHelpCircle}>
        {texts.help}
      </HeaderMenuLink>
      <HeaderMenuLink to="/settings" icon={IconSettings}>
        {texts.settings}
      </HeaderMenuLink>
      <HeaderMenuItem icon={IconLogout} onClick={onLogOut}>
        {texts.logOut}
      </HeaderMenuItem>
    </HeaderMenu>
  )
}

type Icon = ComponentType<IconProps>

/** The account menu: its entries, and under them how the app looks. */
function HeaderMenu({ label, children }: { label: string; children: ReactNode }) {
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
        <Menu.Label aria-hidden>{shared.colorScheme}</Menu.Label>
        <Menu.RadioGroup
          aria-label={shared.colorScheme}
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

function HeaderMenuItem({
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

const HeaderMenuLink = createLink(({ icon: Icon, ...rest }: ComponentPropsWithRef<'a'> & { icon?: Icon }) => (
  <Menu.Item
    component="a"
    {...rest}
    className={classes.item}
    leftSection={Icon && <Icon size={20} stroke={1.5} />}
  />
))
