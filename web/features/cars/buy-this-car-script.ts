import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { parseCarSearch, parseSearch } from '../../api/search-params.ts'
import { continueAfterLogin, navigateTo } from '../../auth/redirects.ts'
import { watchVisitor } from '../../auth/watch-visitor.ts'
import { bindTabs } from '../../components/navigation/bind-tabs.ts'
import { initLoginForm, initRegisterForm } from '../accounts/forms/form-scripts.ts'
import { pathToCar } from '../accounts/path-after-login.ts'

const texts = carTexts.buyThisCar

/** Runs the forms on /buy-this-car, which `buy-this-car-page.tsx` renders. */
export function initBuyThisCarPage(): void {
  const { userId, vin } = parseCarSearch(parseSearch(location.search))
  const create = document.querySelector<HTMLFormElement>('[data-form=register]')
  const waiting = document.querySelector<HTMLTemplateElement>('[role=tabpanel] > template')
  const signIn = waiting?.content.querySelector<HTMLFormElement>('[data-form=login]')
  if (!create || !signIn || !userId || !vin) return
  const onDone = () => continueAfterLogin((user) => pathToCar(userId, vin, user))
  bindTabs()
  initLoginForm(signIn, { failed: texts.signInFailed, onDone })
  initRegisterForm(create, {
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
