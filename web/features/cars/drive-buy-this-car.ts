import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { carLink, parseSearch } from '../../api/search.ts'
import { continueAfterLogin, navigateTo } from '../../auth/redirects.ts'
import { watchVisitor } from '../../auth/watch-visitor.ts'
import { driveTabs } from '../../components/navigation/drive-tabs.ts'
import { driveLoginForm, driveRegisterForm } from '../accounts/forms/form-scripts.ts'
import { pathToCar } from '../accounts/path-after-login.ts'

const texts = carTexts.buyThisCar

/** The script of /buy-this-car; `buy-this-car-page.tsx` renders it. */
export function driveBuyThisCar(): void {
  const { userId, vin } = carLink(parseSearch(location.search))
  const create = document.querySelector<HTMLFormElement>('[data-form=register]')
  const waiting = document.querySelector<HTMLTemplateElement>('[role=tabpanel] > template')
  const signIn = waiting?.content.querySelector<HTMLFormElement>('[data-form=login]')
  if (!create || !signIn || !userId || !vin) {
    watchVisitor((visitor) => {
      show('[data-for-visitor]', visitor !== null)
      show('[data-for-strangers]', visitor === null)
    })
    return
  }
  const onDone = () => continueAfterLogin((user) => pathToCar(userId, vin, user))
  driveTabs()
  driveLoginForm(signIn, { failed: texts.signInFailed, onDone })
  driveRegisterForm(create, {
    failed: texts.registrationFailed,
    userType: () => 'BUYER',
    extraValues: () => ({ userId, vin }),
    onDone,
  })
  watchVisitor((visitor) => {
    const isWholesaler = visitor?.userType === 'WHOLESALER'
    show('[data-for-wholesaler]', isWholesaler)
    const go = show('[data-for-visitor]', visitor !== null && !isWholesaler)
    const words = go?.querySelector('[data-words]')
    const button = go?.querySelector<HTMLElement>('[data-go]')
    if (!visitor || !words || !button) return
    words.textContent = texts.continueAs(fullName(visitor))
    button.onclick = () => navigateTo(pathToCar(userId, vin, visitor), { replace: true })
  })
}

function show(selector: string, isShown: boolean): HTMLElement | null {
  const element = document.querySelector<HTMLElement>(selector)
  if (element) element.hidden = !isShown
  return element
}
