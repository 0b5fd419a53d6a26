import { createHistoryState } from './history-state.ts'

/**
 * A server-rendered page cannot pass history state, so its link sends the address as the referrer.
 * This makes it the state `redirectURL` before the router reads the state (R-cars-18).
 */
const from = document.referrer ? new URL(document.referrer) : null
const isFromCar = from?.origin === location.origin && from.pathname === '/car'

if (isFromCar && ['/buyer', '/buy-this-car'].includes(location.pathname) && !history.state?.redirectURL)
  history.replaceState(createHistoryState({ ...history.state, redirectURL: from.pathname + from.search }), '')
