import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import type { Endpoint, ErrorCodeOf } from '@keyturn/contract/shared/endpoint.ts'
import { ApiError } from '@keyturn/contract/shared/error.ts'
import { fieldTexts } from '@keyturn/contract/shared/fields.ts'
import { type ReactNode, useRef, useState } from 'react'
import { PasswordField } from './password-field.tsx'

const texts = accountTexts.settings

type CurrentPassword = {
  /**
   * Calls `send` with the typed password. Resolves to undefined if the password was rejected; the
   * field then shows why. Rethrows any other error.
   */
  sendWith: <T>(send: (given: { currentPassword?: string }) => Promise<T>) => Promise<T | undefined>
  /**
   * Null until the server requires the password, so that somebody who has just signed in is never
   * asked.
   */
  field: ReactNode
}

/** Asks for the current password only if the server requires it (R-accounts-14, R-accounts-15). */
export function useCurrentPassword<C extends Endpoint>(_call: RequiringPassword<C>): CurrentPassword {
  const [isAsked, setAsked] = useState(false)
  const [password, setPassword] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const showFault = (sentence: string) => {
    setFault(sentence)
    // Runs after the paint that shows the message, so that a screen reader reads it with the field.
    requestAnimationFrame(() => input.current?.focus())
  }
  return {
    sendWith: async (send) => {
      if (isAsked && password === '') {
        showFault(fieldTexts.passwordRequired)
        return undefined
      }
      setFault(null)
      try {
        return await send(isAsked ? { currentPassword: password } : {})
      } catch (error) {
        if (!isPasswordRequired(error)) throw error
        setAsked(true)
        if (isAsked) showFault(texts.wrongPassword)
        return undefined
      }
    },
    field: isAsked && (
      <PasswordField
        ref={input}
        label={texts.currentPassword}
        description={texts.reauthenticate}
        autoComplete="current-password"
        autoFocus
        value={password}
        error={fault}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
    ),
  }
}

const passwordRequired = 'ReauthenticationRequired'
/** Accepts only endpoints that can require the password. */
type RequiringPassword<C extends Endpoint> = typeof passwordRequired extends ErrorCodeOf<C> ? C : never

/** Whether the password field already explains this error. */
export const isPasswordRequired = (error: unknown): boolean =>
  error instanceof ApiError && error.code === passwordRequired
