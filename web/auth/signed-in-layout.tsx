import { homePathOf } from '@keyturn/contract/accounts/rules.ts'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useMatches } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useServerEvents } from '../api/server-events.ts'
import { ErrorNotice } from '../components/feedback/error-notice.tsx'
import { Spinner } from '../components/feedback/spinner.tsx'
import { AppShell } from '../components/layout/app-shell.tsx'
import { Logo } from '../components/layout/logo.tsx'
import { PublicShell } from '../components/layout/public-shell.tsx'
import { PlainLink } from '../components/navigation/link.tsx'
import { SideTint } from '../components/navigation/side.tsx'
import { AccountMenu } from '../features/accounts/account-menu.tsx'
import { TradersOnly } from '../features/accounts/traders-only.tsx'
import { NotificationBell } from '../features/notifications/notification-bell.tsx'
import { useDeviceRegistration } from '../features/notifications/push/use-device-registration.ts'
import { isAdministratorQuery } from './is-administrator-query.ts'
import { RequireSession, useLogOut, useUser } from './session.tsx'
import { useView } from './use-view.ts'

/** The layout of protected pages: the guard around the frame of signed-in people. */
export function SignedInLayout() {
  const opensToAdministrator = useMatches({
    select: (matches) => matches.at(-1)?.staticData.opensToAdministrator,
  })
  return (
    <RequireSession
      wrapRedirect={
        opensToAdministrator ? (elsewhere) => <AdministratorsPage orElse={elsewhere} /> : undefined
      }
    >
      <Frame />
    </RequireSession>
  )
}

/** A wholesaler's account could do nothing on these pages (R-accounts-25). */
export function RequireTrader() {
  return useUser().userType === 'WHOLESALER' ? <TradersOnly /> : <Outlet />
}

function Frame() {
  const user = useUser()
  useServerEvents(user._id)
  useDeviceRegistration(user._id)
  const { isStuck, logOut } = useLogOut()
  return (
    <SideTint side={useSideOfPage()}>
      <AppShell
        logo={
          <PlainLink to={homePathOf(user.userType)}>
            <Logo />
          </PlainLink>
        }
        actions={
          <>
            <NotificationBell />
            <AccountMenu onLogOut={logOut} />
          </>
        }
        banner={isStuck && <ErrorNotice onRetry={logOut}>{accountTexts.menu.logOutFailed}</ErrorNotice>}
      >
        <Outlet />
      </AppShell>
    </SideTint>
  )
}

/** Returns the side of a one-sided page, for its tint. Other pages follow the person's view. */
function useSideOfPage() {
  const [view] = useView()
  const fixed = useMatches({ select: (matches) => matches.at(-1)?.staticData.side })
  return fixed ?? view
}

/** A page that an administrator can open without an account (R-accounts-40). */
function AdministratorsPage({ orElse }: { orElse: ReactNode }) {
  const asked = useQuery(isAdministratorQuery)
  if (asked.isPending) return <Spinner />
  if (!asked.data) return orElse
  return (
    <PublicShell
      logo={
        <PlainLink to="/dev">
          <Logo />
        </PlainLink>
      }
    >
      <Outlet />
    </PublicShell>
  )
}
