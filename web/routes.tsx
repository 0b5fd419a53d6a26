import { createRootRoute, createRoute, createRouter, Outlet } from '@tanstack/react-router'
import * as search from './api/search.ts'
import { ErrorScreen } from './components/layout/error-screen.tsx'
import { RedirectNotice } from './components/layout/redirect-notice.tsx'
import { screen } from './components/layout/screen.tsx'
import { NavigationProgress } from './components/navigation/navigation-progress.tsx'
import type { SideName } from './components/theme/theme.ts'
import type { StageEntry } from './features/deals/buying/stages/use-stage-history.ts'

/** While the code loads, the frame of signed-in people stays around the screen. */
const inside = { isInside: true }

const help = screen(() => import('./features/public-pages/help.tsx'), 'Help', inside)
const loginLink = screen(() => import('./features/accounts/login-link-screen.tsx'), 'LoginLinkScreen')
const waiting = screen(() => import('./features/accounts/waiting-screen.tsx'), 'WaitingScreen')
const verify = screen(() => import('./features/accounts/verify-screen.tsx'), 'VerifyScreen')
const forgot = screen(() => import('./features/accounts/forgot-screen.tsx'), 'ForgotScreen')
const reset = screen(() => import('./features/accounts/reset-screen.tsx'), 'ResetScreen')
const profile = screen(() => import('./features/accounts/profile-screen.tsx'), 'ProfileScreen', inside)
const settings = screen(() => import('./auth/settings-screen.tsx'), 'SettingsScreen', inside)
const dev = screen(() => import('./features/admin/dev-screen.tsx'), 'DevScreen')
const dealer = screen(() => import('./features/admin/desk/dealer-screen.tsx'), 'DealerScreen')
const addCar = screen(() => import('./features/cars/add-car-screen.tsx'), 'AddCarScreen', inside)
const dashboard = screen(
  () => import('./features/deals/dashboard/dashboard-screen.tsx'),
  'DashboardScreen',
  inside,
)
const seller = screen(() => import('./features/deals/selling/seller-screen.tsx'), 'SellerScreen', inside)
const buyer = screen(() => import('./features/deals/buying/buyer-screen.tsx'), 'BuyerScreen', inside)
const finalPackage = screen(
  () => import('./features/deals/package/package-screen.tsx'),
  'PackageScreen',
  inside,
)
const soldCars = screen(
  () => import('./features/deals/dashboard/sold-cars-screen.tsx'),
  'SoldCarsScreen',
  inside,
)
const trades = screen(
  () => import('./features/deals/dashboard/trade-dashboard-screen.tsx'),
  'TradeDashboardScreen',
  inside,
)
const tradeInput = screen(
  () => import('./features/deals/dashboard/add-trade-screen.tsx'),
  'AddTradeScreen',
  inside,
)
const wholesaler = screen(
  () => import('./features/trades/wholesaler/wholesaler-screen.tsx'),
  'WholesalerScreen',
  inside,
)
const signedInGuard = screen(() => import('./auth/signed-in.tsx'), 'SignedIn')
const tradersGuard = screen(() => import('./auth/signed-in.tsx'), 'ForTraders', inside)

const root = createRootRoute({ component: Root, notFoundComponent: RedirectNotice })
const signedIn = createRoute({ getParentRoute: () => root, id: 'signed-in', component: signedInGuard })
const open = { getParentRoute: () => root }
const guarded = { getParentRoute: () => signedIn, errorComponent: () => <ErrorScreen isInside /> }
const trading = createRoute({ ...guarded, id: 'trading', component: tradersGuard })
const ofTraders = { ...guarded, getParentRoute: () => trading }
const selling = { ...ofTraders, staticData: { side: 'selling' } } as const
const buying = { ...ofTraders, staticData: { side: 'buying' } } as const
const ofCar = { validateSearch: search.typedCarLink }

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
  createRoute({ ...open, validateSearch: search.verifyLink, path: '/email/verify', component: verify }),
  createRoute({ ...open, path: '/password/forgot', component: forgot }),
  createRoute({ ...open, validateSearch: search.resetLink, path: '/password/reset', component: reset }),
  createRoute({ ...open, path: '/dev', component: dev }),
  createRoute({ ...open, validateSearch: search.packageLink, path: '/dealer', component: dealer }),
  signedIn.addChildren([
    trading.addChildren([
      createRoute({ ...selling, path: '/car/input', component: addCar }),
      createRoute({ ...selling, ...ofCar, path: '/car/seller', component: seller }),
      createRoute({ ...buying, ...ofCar, path: '/buyer', component: buyer }),
      createRoute({ ...buying, validateSearch: search.typedTradeLink, path: '/trade', component: trades }),
      createRoute({ ...buying, ...ofCar, path: '/trade/input', component: tradeInput }),
    ]),
    createRoute({ ...guarded, validateSearch: search.viewLink, path: '/home', component: dashboard }),
    createRoute({ ...guarded, validateSearch: search.tradeLink, path: '/wholesaler', component: wholesaler }),
    createRoute({
      ...guarded,
      path: '/listofcars',
      component: soldCars,
      staticData: { opensToAdministrator: true },
    }),
    createRoute({
      ...guarded,
      validateSearch: search.packageLink,
      path: '/pkg',
      component: finalPackage,
      staticData: { opensToAdministrator: true },
    }),
    createRoute({ ...guarded, path: '/profile', component: profile }),
    createRoute({ ...guarded, path: '/settings', component: settings }),
    createRoute({ ...guarded, path: '/help', component: help }),
  ]),
])

export const router = createRouter({
  routeTree,
  parseSearch: search.parseSearch,
  stringifySearch: search.stringifySearch,
  // Scrolls to the top on navigation unless the address has a hash; Back restores the scroll
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
  }
}
