import '../../auth/redirect-from-referrer.ts'
import { preserveRedirect, reloadOnReturn, storeRequestedPage } from '../../auth/redirects.ts'
import { initLoginPage } from '../../features/accounts/forms/login-page-script.ts'
import { initRegisterPage } from '../../features/accounts/forms/register-page-script.ts'
import { initBuyThisCarPage } from '../../features/cars/buy-this-car-script.ts'
import { replayEarlyClicks } from './replay-early-clicks.ts'

export function initPage(): void {
  storeRequestedPage()
  preserveRedirect()
  reloadOnReturn()
  if (location.pathname.startsWith('/login')) initLoginPage()
  else if (location.pathname.startsWith('/register')) initRegisterPage()
  else initBuyThisCarPage()
  replayEarlyClicks()
}
