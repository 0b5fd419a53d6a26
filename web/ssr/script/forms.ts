import '../../wire/no-eval.ts'
import { driveLoginPage } from '../../accounts/login-page-script.ts'
import { driveRegisterPage } from '../../accounts/register-page-script.ts'
import { driveBuyThisCar } from '../../cars/buy-this-car-script.ts'
import { carryOn, keepWanted, loadOnReturn } from '../../who/going-on.ts'
import { fetchAhead } from './ahead.ts'
import { catchUp } from './early.ts'
import { chooseScheme, followSystem } from './scheme.ts'
import { announceLeaving, castShadow } from './small.ts'

// All that the pages of forms need of a script (R-everywhere-43): no React, no component library, no router.

castShadow()
followSystem()
chooseScheme()
announceLeaving()
keepWanted()
carryOn()
loadOnReturn()
if (location.pathname.startsWith('/login')) driveLoginPage()
else if (location.pathname.startsWith('/register')) driveRegisterPage()
else driveBuyThisCar()
catchUp()
fetchAhead()
