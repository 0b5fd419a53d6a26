import '../../auth/redirect-from-referrer.ts'
import { preserveRedirect, reloadOnReturn, storeRequestedPage } from '../../auth/redirects.ts'
import { driveLoginPage } from '../../features/accounts/forms/drive-login-page.ts'
import { driveRegisterPage } from '../../features/accounts/forms/drive-register-page.ts'
import { driveBuyThisCar } from '../../features/cars/drive-buy-this-car.ts'
import { replayEarlyClicks } from './replay-early-clicks.ts'

export function drivePage(): void {
  storeRequestedPage()
  preserveRedirect()
  reloadOnReturn()
  if (location.pathname.startsWith('/login')) driveLoginPage()
  else if (location.pathname.startsWith('/register')) driveRegisterPage()
  else driveBuyThisCar()
  replayEarlyClicks()
}
