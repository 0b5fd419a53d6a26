import { preserveRedirect, reloadOnReturn, storeRequestedPage } from '../../auth/redirects.ts'
import { driveLoginPage } from '../../features/accounts/forms/login-page-script.ts'
import { driveRegisterPage } from '../../features/accounts/forms/register-page-script.ts'
import { driveBuyThisCar } from '../../features/cars/buy-this-car-script.ts'
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
