import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { normalizeVin } from '@keyturn/contract/shared/vin.ts'
import { isBrokenCarLink, parseCarSearch, parseSearch, stringifySearch } from '../../../api/search-params.ts'
import { continueAfterLogin, redirectURL, replaceAddress } from '../../../auth/redirects.ts'
import { texts as shared } from '../../../components/texts.ts'
import { pathAfterLogin } from '../path-after-login.ts'
import { initRegisterForm } from './form-scripts.ts'

const texts = accountTexts.register

/** Runs the form on /register/seller and /register/buyer, which `register-page.tsx` renders. */
export function initRegisterPage(): void {
  const form = document.querySelector<HTMLFormElement>('[data-form=register]')
  if (!form) return
  syncSide()
  const typedLink = parseSearch(location.search)
  const { userId = '', vin = '' } = parseCarSearch(typedLink)
  const isBroken = isBrokenCarLink(typedLink)
  /**
   * Omits the link's seller when the typed VIN is not the link's, so that the wrong person is not
   * notified.
   */
  const sellerOf = (typed = '') =>
    !isBroken && vin !== '' && normalizeVin(typed) === normalizeVin(vin) ? { userId } : {}
  initRegisterForm(form, {
    failed: texts.failed,
    userType: () => (isBuying() ? 'BUYER' : 'SELLER'),
    extraValues: (typed) =>
      isBuying() ? sellerOf(typed.vin) : { vin: undefined, otherUserId: isBroken ? '' : userId },
    // Both forms lead to /home, where the guard continues to the verification and then to the car.
    onDone: (car) =>
      continueAfterLogin((user) => pathAfterLogin(user, redirectURL()), {
        afterVerifying: car.vin ? `/buyer${stringifySearch(car)}` : undefined,
      }),
  })
}

const isBuying = () => document.querySelector<HTMLInputElement>('[name=side][value=buying]')?.checked === true

/** Makes the address and the document's title match the side of the form. */
function syncSide(): void {
  const applySide = () => {
    const [path, title] = isBuying()
      ? ['/register/buyer', texts.buyerTitle]
      : ['/register/seller', texts.sellerTitle]
    replaceAddress(path + location.search)
    document.title = `${title} · ${shared.product}`
  }
  applySide()
  for (const radio of document.querySelectorAll('[name=side]')) radio.addEventListener('change', applySide)
}
