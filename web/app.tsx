import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent as lazy,
  Navigate,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import type { StageEntry } from './deals/buying/stages/use-stage-history.ts'
import { NavigationProgress } from './ui/frame/navigation-progress.tsx'
import type { SideName } from './ui/frame/theme.ts'
import * as search from './wire/search.ts'

const landing = lazy(() => import('./pages/landing.tsx'), 'Landing')
const privacy = lazy(() => import('./pages/privacy.tsx'), 'Privacy')
const terms = lazy(() => import('./pages/terms.tsx'), 'Terms')
const help = lazy(() => import('./pages/help.tsx'), 'Help')
const login = lazy(() => import('./accounts/login-screen.tsx'), 'LoginScreen')
const loginLink = lazy(() => import('./accounts/login-link-screen.tsx'), 'LoginLinkScreen')
const registerSeller = lazy(() => import('./accounts/register-screen.tsx'), 'RegisterSellerScreen')
const registerBuyer = lazy(() => import('./accounts/register-screen.tsx'), 'RegisterBuyerScreen')
const waiting = lazy(() => import('./accounts/waiting-screen.tsx'), 'WaitingScreen')
const verify = lazy(() => import('./accounts/verify-screen.tsx'), 'VerifyScreen')
const forgot = lazy(() => import('./accounts/forgot-screen.tsx'), 'ForgotScreen')
const reset = lazy(() => import('./accounts/reset-screen.tsx'), 'ResetScreen')
const profile = lazy(() => import('./accounts/profile-screen.tsx'), 'ProfileScreen')
const settings = lazy(() => import('./who/settings-screen.tsx'), 'SettingsScreen')
const dev = lazy(() => import('./administrator/dev-screen.tsx'), 'DevScreen')
const publicCar = lazy(() => import('./cars/public-car-screen.tsx'), 'PublicCarScreen')
const buyThisCar = lazy(() => import('./cars/buy-this-car-screen.tsx'), 'BuyThisCarScreen')
const addCar = lazy(() => import('./cars/add-car-screen.tsx'), 'AddCarScreen')
const home = lazy(() => import('./deals/home/home-screen.tsx'), 'HomeScreen')
const seller = lazy(() => import('./deals/selling/seller-screen.tsx'), 'SellerScreen')
const buyer = lazy(() => import('./deals/buying/buyer-screen.tsx'), 'BuyerScreen')
const finalPackage = lazy(() => import('./deals/package/package-screen.tsx'), 'PackageScreen')
const soldCars = lazy(() => import('./deals/home/sold-cars-screen.tsx'), 'SoldCarsScreen')
const trades = lazy(() => import('./deals/home/trade-dashboard-screen.tsx'), 'TradeDashboardScreen')
const tradeInput = lazy(() => import('./deals/home/add-trade-screen.tsx'), 'AddTradeScreen')
const wholesaler = lazy(() => import('./trades/wholesaler/wholesaler-screen.tsx'), 'WholesalerScreen')
const gate = lazy(() => import('./who/signed-in.tsx'), 'SignedIn')

const root = createRootRoute({ component: Root, notFoundComponent: () => <Navigate to="/" replace /> })
const signedIn = createRoute({ getParentRoute: () => root, id: 'signed-in', component: gate })
const open = { getParentRoute: () => root }
const gated = { getParentRoute: () => signedIn }
const sells = { getParentRoute: () => signedIn, staticData: { side: 'selling' } } as const
const buys = { getParentRoute: () => signedIn, staticData: { side: 'buying' } } as const
const ofCar = { validateSearch: search.carLink }

/** Path, screen and gate of every page (R-everywhere-15). Unknown paths go to the landing page. */
const routeTree = root.addChildren([
  createRoute({ ...open, ...ofCar, path: '/', component: landing }),
  createRoute({ ...open, path: '/privacy', component: privacy }),
  createRoute({ ...open, path: '/tos', component: terms }),
  createRoute({ ...open, path: '/contact', beforeLoad: toContact }),
  createRoute({ ...open, path: '/login', component: login }),
  createRoute({ ...open, validateSearch: search.loginLink, path: '/login/link', component: loginLink }),
  createRoute({ ...open, ...ofCar, path: '/register', beforeLoad: toSellersForm }),
  createRoute({ ...open, ...ofCar, path: '/register/seller', component: registerSeller }),
  createRoute({ ...open, ...ofCar, path: '/register/buyer', component: registerBuyer }),
  createRoute({ ...open, path: '/email/$address', component: waiting }),
  createRoute({ ...open, validateSearch: search.verifyLink, path: '/email/verify', component: verify }),
  createRoute({ ...open, path: '/password/forgot', component: forgot }),
  createRoute({ ...open, validateSearch: search.resetLink, path: '/password/reset', component: reset }),
  createRoute({ ...open, path: '/dev', component: dev }),
  createRoute({ ...open, ...ofCar, path: '/car', component: publicCar }),
  createRoute({ ...open, ...ofCar, path: '/buy-this-car', component: buyThisCar }),
  signedIn.addChildren([
    createRoute({ ...gated, validateSearch: search.viewLink, path: '/home', component: home }),
    createRoute({ ...sells, path: '/car/input', component: addCar }),
    createRoute({ ...sells, ...ofCar, path: '/car/seller', component: seller }),
    createRoute({ ...buys, ...ofCar, path: '/buyer', component: buyer }),
    createRoute({ ...buys, ...ofCar, path: '/trade', component: trades }),
    createRoute({ ...buys, ...ofCar, path: '/trade/input', component: tradeInput }),
    createRoute({ ...gated, path: '/wholesaler', component: wholesaler }),
    createRoute({ ...gated, path: '/listofcars', component: soldCars }),
    createRoute({ ...gated, validateSearch: search.packageLink, path: '/pkg', component: finalPackage }),
    createRoute({ ...gated, path: '/profile', component: profile }),
    createRoute({ ...gated, path: '/settings', component: settings }),
    createRoute({ ...gated, path: '/help', component: help }),
  ]),
])

export const router = createRouter({
  routeTree,
  parseSearch: search.parseSearch,
  stringifySearch: search.stringifySearch,
  // To the top on navigation unless the address has a hash; Back restores the scroll position.
  scrollRestoration: true,
  // The screens of links in view or nearly so are fetched before anybody taps one (R-everywhere-35).
  defaultPreload: 'viewport',
})

function Root() {
  return (
    <>
      <NavigationProgress />
      <Outlet />
    </>
  )
}

/** `/contact` is a section of the landing page. */
function toContact(): never {
  throw redirect({ to: '/', hash: 'contact', replace: true })
}

function toSellersForm({ search: given }: { search: search.CarLink }): never {
  throw redirect({ to: '/register/seller', search: given, replace: true })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  interface StaticDataRouteOption {
    side?: SideName
  }
  interface HistoryState {
    /** The path to return to after signing in; read it only with `ownPath`. */
    redirectURL?: string
    /** The code of a mailed link, once it has been removed from the address bar. */
    linkCode?: string
    linkExp?: number
    /** Where a purchase stood in this entry. */
    purchase?: StageEntry
  }
}
