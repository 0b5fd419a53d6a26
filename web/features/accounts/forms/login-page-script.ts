import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { hasDrafts } from '../../../auth/drafts.ts'
import { continueAfterLogin, navigateTo, redirectURL } from '../../../auth/redirects.ts'
import { watchVisitor } from '../../../auth/watch-visitor.ts'
import { pathAfterLogin, withoutQuery } from '../path-after-login.ts'
import { initLoginForm } from './form-scripts.ts'
import { initPasskeyForm } from './passkey-form-script.ts'

const texts = accountTexts.login

/** Runs the form on /login (R-accounts-22), which `login-page.tsx` renders. */
export function initLoginPage(): void {
  const form = document.querySelector<HTMLFormElement>('[data-form=login]')
  const onDone = () => continueAfterLogin((user) => pathAfterLogin(user, redirectURL()))
  if (form) initLoginForm(form, { failed: texts.failed, onDone })
  const passkeyForm = document.querySelector<HTMLFormElement>('[data-form=passkey]')
  if (passkeyForm) initPasskeyForm(passkeyForm, onDone)
  const notice = document.querySelector<HTMLElement>('[data-for-visitor]')
  const help = document.querySelector<HTMLElement>('[data-for-help]')
  const ended = document.querySelector<HTMLElement>('[data-for-ended]')
  const kept = document.querySelector<HTMLElement>('[data-kept]')
  if (kept) kept.hidden = !hasDrafts()
  const stored = redirectURL()
  const isForHelp = stored !== undefined && withoutQuery(stored) === '/help'
  if (help) help.hidden = !isForHelp
  if (ended) ended.hidden = !history.state?.hasEnded
  watchVisitor((visitor) => {
    if (!notice || !help) return
    notice.hidden = !visitor
    help.hidden = !isForHelp || visitor !== null
    if (ended) ended.hidden = !history.state?.hasEnded || visitor !== null
    const title = notice.querySelector('p')
    const button = notice.querySelector<HTMLElement>('[data-go]')
    if (!visitor || !title || !button) return
    title.textContent = texts.signedInAs(fullName(visitor))
    button.onclick = () => navigateTo(pathAfterLogin(visitor, redirectURL()))
  })
}
