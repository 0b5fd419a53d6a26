import { driveLoginPage } from '../../accounts/login-page-script.ts'
import { driveRegisterPage } from '../../accounts/register-page-script.ts'
import { driveBuyThisCar } from '../../cars/buy-this-car-script.ts'
import { carryOn, keepWanted, loadOnReturn } from '../../who/going-on.ts'
import { catchUp } from './early.ts'

export function drivePage(): void {
  keepWanted()
  carryOn()
  loadOnReturn()
  if (location.pathname.startsWith('/login')) driveLoginPage()
  else if (location.pathname.startsWith('/register')) driveRegisterPage()
  else driveBuyThisCar()
  catchUp()
}
