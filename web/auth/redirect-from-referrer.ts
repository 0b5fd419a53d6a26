import { createHistoryState } from './history-state.ts'

/**
 * A page that the server renders passes no history state, so its link sends the address as
 * referrer. It becomes the state `redirectURL` here, before the router reads the state (R-cars-18).
 */
const from = document.referrer ? new URL(document.referrer) : null
const isFromCar = from?.origin === location.origin && from.pathname === '/car'

if (isFromCar && ['/buyer', '/buy-this-car'].includes(location.pathname) && !history.state?.redirectURL)
  history.replaceState(createHistoryState({ ...history.state, redirectURL: from.pathname + from.search }), '')
