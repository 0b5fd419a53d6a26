import { homeOf } from '@keyturn/contract/accounts/rules.ts'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import {
  IconArrowsExchange,
  IconHelpCircle,
  IconLayoutDashboard,
  IconListCheck,
  IconLogout,
  IconSettings,
  IconUser,
} from '../ui/icons.tsx'
import { useUser } from '../who/session.tsx'
import { useView } from '../who/view.ts'
import { HeaderMenu, HeaderMenuItem, HeaderMenuLink } from './header-menu.tsx'

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
