import { passkeyTexts as texts } from '@keyturn/contract/accounts/passkey-texts.ts'
import { signInWithPasskey, startPasskeySignIn } from '@keyturn/contract/accounts/passkeys.ts'
import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import { ApiError } from '@keyturn/contract/shared/error.ts'
import { z } from 'zod'
import { send } from '../../../api/send.ts'
import { bindForm } from '../../../components/fields/bind-form.ts'

type Credential = EndpointInput<typeof signInWithPasskey>['body']['credential']

/** Below the five minutes for which a challenge is valid. */
const autofillMs = 4 * 60_000

/**
 * Runs the passkey form in `login-page.tsx`. Where the browser can, the email field's suggestions
 * also contain the passkeys; choosing one submits this form.
 */
export function initPasskeyForm(form: HTMLFormElement, onDone: () => Promise<unknown>): void {
  const isSupported = 'PublicKeyCredential' in window
  let chosen: Credential | null = null
  let isWorking = false
  let suggestedAt = 0
  bindForm(form, {
    schema: z.object({}),
    values: () => ({}),
    send: async () => {
      isWorking = true
      try {
        const credential = chosen ?? (await askForPasskey(form))
        await send(signInWithPasskey, { body: { credential } })
        await onDone()
      } finally {
        isWorking = false
        chosen = null
        void suggest()
      }
    },
    errorOf: (error) => ({
      sentence:
        error instanceof ApiError ? error.message : isSupported ? texts.signInCanceled : texts.unsupported,
    }),
  })

  /** Pends until a passkey is chosen, or another request to the browser ends this one. */
  async function suggest(): Promise<void> {
    suggestedAt = Date.now()
    const suggested = await askForPasskey(form, () => !isWorking).catch(() => null)
    if (!suggested || isWorking) return
    chosen = suggested
    form.requestSubmit()
  }

  if (!isSupported) return
  void PublicKeyCredential.isConditionalMediationAvailable?.().then((canSuggest) => {
    if (!canSuggest) return
    void suggest()
    // A new challenge, unless the browser is asking the person right now.
    const renew = () => {
      const isOld = Date.now() - suggestedAt >= autofillMs
      if (isOld && !isWorking && !document.hidden) void suggest()
    }
    setInterval(renew, autofillMs / 8)
    document.addEventListener('visibilitychange', renew)
  })
}

/** With `maySuggest`, offers the passkeys among the email field's suggestions, if it still may. */
async function askForPasskey(form: HTMLFormElement, maySuggest?: () => boolean): Promise<Credential> {
  const [options, { startAuthentication }] = await Promise.all([
    send(startPasskeySignIn, {}),
    loadScript(form.dataset.script ?? ''),
  ])
  // It would end the question that the person has opened by now.
  if (maySuggest && !maySuggest()) throw new Error('A passkey is being asked for')
  const { id, response } = await startAuthentication({
    optionsJSON: options,
    useBrowserAutofill: maySuggest !== undefined,
  })
  return { id, response: { ...response, userHandle: response.userHandle ?? '' } }
}

/** A file of its own, named by the page, because this script is one file (decision 32). */
const loadScript = (address: string): Promise<typeof import('../../../ssr/script/passkeys.ts')> =>
  import(/* @vite-ignore */ address)
