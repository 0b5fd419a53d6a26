import { login, register } from '@keyturn/contract/accounts/endpoints.ts'
import type { UserType } from '@keyturn/contract/accounts/rules.ts'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import { normalizeVin } from '@keyturn/contract/shared/vin.ts'
import { errorMessageOf, hasErrorCode } from '../../../api/errors.ts'
import { type Intents, sendOnce } from '../../../api/mutations/send-once.ts'
import { send } from '../../../api/send.ts'
import { bindForm, cloneTemplate } from '../../../components/fields/bind-form.ts'

// Run the forms in `login-form.tsx` and `register-form.tsx`.

type Typed = Record<string, string>
const typedIn = (form: HTMLFormElement): Typed =>
  Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]))

type LoginOptions = { failed: string; onDone: () => Promise<unknown> }

export function initLoginForm(form: HTMLFormElement, { failed, onDone }: LoginOptions): void {
  enablePasswordToggles(form)
  const intents: Intents<unknown> = new Map()
  bindForm(form, {
    schema: login.body,
    values: () => typedIn(form),
    send: async (values) => {
      const body = values as EndpointInput<typeof login>['body']
      await sendOnce(intents, body, (idempotencyKey) => send(login, { body }, { idempotencyKey }))
      await onDone()
    },
    // Only a definite rejection says that the password is wrong, not an unreachable server.
    errorOf: (error) => {
      const sentence = hasErrorCode(error, login, 'InvalidCredentials') ? failed : error.message
      const isSlowedDown = hasErrorCode(error, login, 'TooManyRequests')
      return { sentence: isSlowedDown ? `${sentence} ${accountTexts.login.lookForLink}` : sentence }
    },
  })
}

type Car = { userId?: string; vin?: string }
type RegisterOptions = {
  failed: string
  userType: () => UserType
  /** Values that are sent along with the fields and take precedence over them. */
  extraValues: (typed: Typed) => Car & { otherUserId?: string }
  /** Called with the car that the person came for. */
  onDone: (car: Car) => Promise<unknown>
}

export function initRegisterForm(
  form: HTMLFormElement,
  { failed, userType, extraValues, onDone }: RegisterOptions,
): void {
  enablePasswordToggles(form)
  const vin = form.querySelector<HTMLInputElement>('[name=vin]')
  vin?.addEventListener('input', () => {
    const clean = normalizeVin(vin.value)
    if (clean !== vin.value) vin.value = clean
  })
  const intents: Intents<unknown> = new Map()
  bindForm(form, {
    schema: register.body,
    values: () => {
      const typed = typedIn(form)
      return { ...typed, userType: userType(), ...extraValues(typed) }
    },
    send: async (values) => {
      const body = values as EndpointInput<typeof register>['body']
      await sendOnce(intents, body, (idempotencyKey) => send(register, { body }, { idempotencyKey }))
      await onDone({ vin: body.vin, userId: body.userId })
    },
    errorOf: (error) => {
      const { sentence, cause, mayTryAgain } = errorMessageOf(error, failed)
      return { sentence, cause, mustReload: cause !== null && !mayTryAgain }
    },
  })
}

/** Toggles the visibility of passwords, like the app's `PasswordParts`. */
function enablePasswordToggles(form: HTMLFormElement): void {
  for (const hidden of form.querySelectorAll<HTMLButtonElement>('button[aria-pressed]')) {
    const shown = cloneTemplate('password-shown').querySelector('button')
    const input = hidden.closest('.mantine-Input-wrapper')?.querySelector('input')
    if (!shown || !input) continue
    const faces = [faceOf(hidden), faceOf(shown)]
    hidden.addEventListener('mousedown', (event) => event.preventDefault())
    hidden.addEventListener('click', () => {
      const isShown = input.type === 'password'
      input.type = isShown ? 'text' : 'password'
      const face = faces[Number(isShown)]
      if (!face) return
      hidden.setAttribute('aria-pressed', String(isShown))
      hidden.setAttribute('aria-label', face.label)
      hidden.innerHTML = face.icon
    })
  }
}

const faceOf = (button: HTMLButtonElement) => ({
  icon: button.innerHTML,
  label: button.getAttribute('aria-label') ?? '',
})
