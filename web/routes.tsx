import { createRootRoute, createRoute, createRouter, Outlet } from '@tanstack/react-router'
import * as search from './api/search-params.ts'
import { ErrorScreen } from './components/layout/error-screen.tsx'
import { lazyScreen } from './components/layout/lazy-screen.tsx'
import { RedirectNotice } from './components/layout/redirect-notice.tsx'
import { NavigationProgress } from './components/navigation/navigation-progress.tsx'
import type { SideName } from './components/theme/theme.ts'
import type { StageEntry } from './features/deals/buying/stages/use-stage-history.ts'

/** The frame of signed-in people stays visible while the code of these screens is loading. */
const inside = { isInside: true }

const help = lazyScreen(() => import('./features/public-pages/help-page.tsx'), 'HelpPage', inside)
const loginLink = lazyScreen(() => import('./features/accounts/login-link-screen.tsx'), 'LoginLinkScreen')
const waiting = lazyScreen(() => import('./features/accounts/email-sent-screen.tsx'), 'EmailSentScreen')
const verify = lazyScreen(() => import('./features/accounts/verify-email-screen.tsx'), 'VerifyEmailScreen')
const forgot = lazyScreen(
  () => import('./features/accounts/forgot-password-screen.tsx'),
  'ForgotPasswordScreen',
)
const reset = lazyScreen(() => import('./features/accounts/reset-password-screen.tsx'), 'ResetPasswordScreen')
const profile = lazyScreen(() => import('./features/accounts/profile-screen.tsx'), 'ProfileScreen', inside)
const settings = lazyScreen(() => import('./auth/settings-screen.tsx'), 'SettingsScreen', inside)
const yourData = lazyScreen(
  () => import('./features/accounts/privacy/your-data-screen.tsx'),
  'YourDataScreen',
  inside,
)
const adminInvitation = lazyScreen(
  () => import('./features/admin/administrators/invitation-screen.tsx'),
  'InvitationScreen',
)
const dev = lazyScreen(() => import('./features/admin/dev-screen.tsx'), 'DevScreen')
const dealer = lazyScreen(() => import('./features/admin/desk/dealer-screen.tsx'), 'DealerScreen')
const addCar = lazyScreen(() => import('./features/cars/add-car-screen.tsx'), 'AddCarScreen', inside)
const dashboard = lazyScreen(
  () => import('./features/deals/dashboard/dashboard-screen.tsx'),
  'DashboardScreen',
  inside,
)
const seller = lazyScreen(() => import('./features/deals/selling/seller-screen.tsx'), 'SellerScreen', inside)
const buyer = lazyScreen(() => import('./features/deals/buying/buyer-screen.tsx'), 'BuyerScreen', inside)
const finalPackage = lazyScreen(
  () => import('./features/deals/package/package-screen.tsx'),
  'PackageScreen',
  inside,
)
const soldCars = lazyScreen(
  () => import('./features/deals/dashboard/sold-cars-screen.tsx'),
  'SoldCarsScreen',
  inside,
)
const trades = lazyScreen(
  () => import('./features/deals/dashboard/trade-dashboard-screen.tsx'),
  'TradeDashboardScreen',
  inside,
)
const tradeInput = lazyScreen(
  () => import('./features/deals/dashboard/add-trade-screen.tsx'),
  'AddTradeScreen',
  inside,
)
const wholesaler = lazyScreen(
  () => import('./features/trades/wholesaler/wholesaler-screen.tsx'),
  'WholesalerScreen',
  inside,
)
const signedInGuard = lazyScreen(() => import('./auth/signed-in-layout.tsx'), 'SignedInLayout')
const tradersGuard = lazyScreen(() => import('./auth/signed-in-layout.tsx'), 'RequireTrader', inside)

const root = createRootRoute({ component: Root, notFoundComponent: RedirectNotice })
const signedIn = createRoute({ getParentRoute: () => root, id: 'signed-in', component: signedInGuard })
const open = { getParentRoute: () => root }
const guarded = { getParentRoute: () => signedIn, errorComponent: () => <ErrorScreen isInside /> }
const trading = createRoute({ ...guarded, id: 'trading', component: tradersGuard })
const tradersRoute = { ...guarded, getParentRoute: () => trading }
const selling = { ...tradersRoute, staticData: { side: 'selling' } } as const
const buying = { ...tradersRoute, staticData: { side: 'buying' } } as const
const ofCar = { validateSearch: search.parseTypedCarSearch }

/**
 * Path, screen and guard of every page of the app (R-everywhere-15). Unknown paths lead to the
 * landing page, which the server renders (`components/layout/redirect-notice.tsx`).
 */
const routeTree = root.addChildren([
  createRoute({ ...open, path: '/', component: RedirectNotice }),
  // The server renders these pages. The app navigates to them with state in the history entry.
  createRoute({ ...open, path: '/login', component: RedirectNotice }),
  createRoute({ ...open, ...ofCar, path: '/register', component: RedirectNotice }),
  createRoute({ ...open, ...ofCar, path: '/buy-this-car', component: RedirectNotice }),
  createRoute({ ...open, path: '/login/link', component: loginLink }),
  createRoute({ ...open, path: '/email/$address', component: waiting }),
  createRoute({
    ...open,
    validateSearch: search.parseVerifySearch,
    path: '/email/verify',
    component: verify,
  }),
  createRoute({ ...open, path: '/password/forgot', component: forgot }),
  createRoute({
    ...open,
    validateSearch: search.parseResetSearch,
    path: '/password/reset',
    component: reset,
  }),
  createRoute({ ...open, validateSearch: search.parseDevSearch, path: '/dev', component: dev }),
  createRoute({ ...open, path: '/dev/invitation', component: adminInvitation }),
  createRoute({ ...open, validateSearch: search.parsePackageSearch, path: '/dealer', component: dealer }),
  signedIn.addChildren([
    trading.addChildren([
      createRoute({ ...selling, path: '/car/input', component: addCar }),
      createRoute({ ...selling, ...ofCar, path: '/car/seller', component: seller }),
      createRoute({ ...buying, ...ofCar, path: '/buyer', component: buyer }),
      createRoute({
        ...buying,
        validateSearch: search.parseTypedTradeSearch,
        path: '/trade',
        component: trades,
      }),
      createRoute({ ...buying, ...ofCar, path: '/trade/input', component: tradeInput }),
    ]),
    createRoute({ ...guarded, validateSearch: search.parseViewSearch, path: '/home', component: dashboard }),
    createRoute({
      ...guarded,
      validateSearch: search.parseTradeSearch,
      path: '/wholesaler',
      component: wholesaler,
    }),
    createRoute({
      ...guarded,
      path: '/listofcars',
      component: soldCars,
      staticData: { opensToAdministrator: true },
    }),
    createRoute({
      ...guarded,
      validateSearch: search.parsePackageSearch,
      path: '/pkg',
      component: finalPackage,
      staticData: { opensToAdministrator: true },
    }),
    createRoute({ ...guarded, path: '/profile', component: profile }),
    createRoute({ ...guarded, path: '/settings', component: settings }),
    createRoute({ ...guarded, path: '/settings/data', component: yourData }),
    createRoute({ ...guarded, path: '/help', component: help }),
  ]),
])

export const router = createRouter({
  routeTree,
  parseSearch: search.parseSearch,
  stringifySearch: search.stringifySearch,
  // Scrolls to the top on navigation, unless the address has a hash. Back restores the scroll
  // position.
  scrollRestoration: true,
  // Preloads the screens of links in or near the viewport (R-everywhere-35).
  defaultPreload: 'viewport',
  defaultErrorComponent: () => <ErrorScreen />,
})

function Root() {
  return (
    <>
      <NavigationProgress />
      <Outlet />
    </>
  )
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  interface StaticDataRouteOption {
    side?: SideName
    /** An administrator may open the page without an account. */
    opensToAdministrator?: boolean
  }
  interface HistoryState {
    /** The path to return to after signing in; read it only with `ownPath`. */
    redirectURL?: string
    /** The session ended while that page was open. */
    hasEnded?: boolean
    /** The path to open after verifying the address, if not the one that redirected the person. */
    afterVerifying?: string
    /** The code of an emailed link, once it has been removed from the address bar. */
    linkCode?: string
    /** When the code expires, in milliseconds since 1970. */
    linkExp?: number
    purchase?: StageEntry
    /** The people that an administrator searched for; a name belongs in no address. */
    people?: string
  }
}
