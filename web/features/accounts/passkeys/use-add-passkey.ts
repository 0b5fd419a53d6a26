import { passkeyTexts as texts } from '@keyturn/contract/accounts/passkey-texts.ts'
import { addPasskey, type Passkey, startAddingPasskey } from '@keyturn/contract/accounts/passkeys.ts'
import { ApiError } from '@keyturn/contract/shared/error.ts'
import { useState } from 'react'
import { useEndpointMutation } from '../../../api/mutations/use-endpoint-mutation.ts'
import { isPasswordRequired, useCurrentPassword } from '../use-current-password.tsx'
import { passkeysQuery } from './queries.ts'

/** Adds a passkey of this device; `fault` is an `ApiError` or the browser's error. */
export function useAddPasskey(onAdded: (added: Passkey) => void) {
  const starting = useEndpointMutation(startAddingPasskey)
  const adding = useEndpointMutation(addPasskey, { refresh: [passkeysQuery.queryKey] })
  const password = useCurrentPassword(startAddingPasskey)
  const [isWorking, setWorking] = useState(false)
  const [fault, setFault] = useState<unknown>(null)

  async function add(): Promise<void> {
    const options = await password.sendWith((body) => starting.act({ body }))
    if (!options) return
    // The app's other screens do not load it.
    const { startRegistration } = await import('@simplewebauthn/browser')
    const { id, response } = await startRegistration({ optionsJSON: options })
    onAdded(await adding.act({ body: { credential: { id, response } } }))
  }

  return {
    passwordField: password.field,
    isWorking,
    fault,
    add: async () => {
      setFault(null)
      setWorking(true)
      await add().catch((error: unknown) => !isPasswordRequired(error) && setFault(error))
      setWorking(false)
    },
  }
}

/** Returns the sentence for a failure that no response of the server explains. */
export function sentenceFor(fault: unknown): string {
  if (fault instanceof ApiError) return texts.addFailed
  if (!('PublicKeyCredential' in window)) return texts.unsupported
  const code = fault instanceof Error && 'code' in fault ? fault.code : null
  if (code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') return texts.alreadyThere
  return fault instanceof Error && fault.name === 'NotAllowedError' ? texts.addCanceled : texts.addFailed
}
