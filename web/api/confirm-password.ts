import type { Endpoint } from '@keyturn/contract/shared/endpoint.ts'
import { readError } from './errors.ts'

type AskForPassword = () => Promise<boolean>
let askForPassword: AskForPassword | null = null

/** Registers the dialog that asks an administrator for the password; returns how to remove it. */
export function onPasswordNeeded(ask: AskForPassword): () => void {
  askForPassword = ask
  return () => {
    if (askForPassword === ask) askForPassword = null
  }
}

/** Returns whether the password was asked for and entered, so the same request may be repeated. */
export async function askToConfirmPassword(call: Endpoint, response: Response): Promise<boolean> {
  if (!call.needsConfirmation || response.status !== 403 || !askForPassword) return false
  const { code } = await readError(response.clone())
  return code === 'ReauthenticationRequired' && askForPassword()
}
