import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { continueAfterLogin, navigateTo, redirectURL } from '../../../auth/redirects.ts'
import { watchVisitor } from '../../../auth/watch-visitor.ts'
import { pathAfterLogin, withoutQuery } from '../path-after-login.ts'
import { initLoginForm } from './form-scripts.ts'

const texts = accountTexts.login

/** Runs the form on /login (R-accounts-22), which `login-page.tsx` renders. */
export function initLoginPage(): void {
  const form = document.querySelector<HTMLFormElement>('[data-form=login]')
  if (form) {
    initLoginForm(form, {
      failed: texts.failed,
      onDone: () => continueAfterLogin((user) => pathAfterLogin(user, redirectURL())),
    })
  }
  const notice = document.querySelector<HTMLElement>('[data-for-visitor]')
  const help = document.querySelector<HTMLElement>('[data-for-help]')
  const stored = redirectURL()
  const isForHelp = stored !== undefined && withoutQuery(stored) === '/help'
  if (help) help.hidden = !isForHelp
  watchVisitor((visitor) => {
    if (!notice || !help) return
    notice.hidden = !visitor
    help.hidden = !isForHelp || visitor !== null
    const title = notice.querySelector('p')
    const button = notice.querySelector<HTMLElement>('[data-go]')
    if (!visitor || !title || !button) return
    title.textContent = texts.signedInAs(fullName(visitor))
    button.onclick = () => navigateTo(pathAfterLogin(visitor, redirectURL()))
  })
}
