import { homePathOf } from '@keyturn/contract/accounts/rules.ts'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { Button, Menu } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef } from 'react'
import { useUser } from '../../auth/session.tsx'
import { useView } from '../../auth/use-view.ts'
import {
  type Icon,
  IconArrowsExchange,
  IconChevronDown,
  IconHelpCircle,
  IconLayoutDashboard,
  IconListCheck,
  IconLogout,
  IconSettings,
  IconUser,
  IconUserCircle,
} from '../../components/icons.tsx'
import classes from './header-menu.module.css'

const texts = accountTexts.menu

/** The My Account menu in the header (R-accounts-39). */
export function AccountMenu({ onLogOut }: { onLogOut: () => void }) {
  const { userType, approved } = useUser()
  const [view] = useView()
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
          <span className={classes.label}>{texts.label}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.dropdown}>
        <MenuLink to={homePathOf(userType)} icon={IconLayoutDashboard}>
          {view === 'buying' ? texts.purchaseDashboard : texts.dashboard}
        </MenuLink>
        {view === 'buying' && userType !== 'WHOLESALER' && (
          <MenuLink to="/trade" icon={IconArrowsExchange}>
            {texts.tradeDashboard}
          </MenuLink>
        )}
        {userType === 'WHOLESALER' && approved && (
          <MenuLink to="/listofcars" icon={IconListCheck}>
            {texts.soldCars}
          </MenuLink>
        )}
        <MenuLink to="/profile" icon={IconUser}>
          {texts.profile}
        </MenuLink>
        <MenuLink to="/help" icon={IconHelpCircle}>
          {texts.help}
        </MenuLink>
        <MenuLink to="/settings" icon={IconSettings}>
          {texts.settings}
        </MenuLink>
        <Menu.Item className={classes.item} onClick={onLogOut} leftSection={menuIcon(IconLogout)}>
          {texts.logOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

const MenuLink = createLink(({ icon, ...rest }: ComponentPropsWithRef<'a'> & { icon: Icon }) => (
  <Menu.Item component="a" {...rest} className={classes.item} leftSection={menuIcon(icon)} />
))

const menuIcon = (Shown: Icon) => <Shown size={20} stroke={1.5} />
