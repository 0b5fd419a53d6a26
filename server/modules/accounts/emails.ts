import {
  askSentence,
  reasonSentences,
  type SuspensionFacts,
  suspensionTexts,
} from '@keyturn/contract/accounts/suspension-texts.ts'
import type { Config } from '../../config.ts'
import type { EmailContent } from '../../platform/mail/email-content.ts'
import { ownSentence, sentence } from '../../platform/mail/sentence.ts'

// Emails to unverified addresses contain no name: anybody could use a name to send text to
// strangers.

export type RegistrationCar = { vin: string | null; userId: string | null }

/** Links back to the car that the registration came from (R-accounts-8). */
export function verificationEmail(config: Config, code: string, from: RegistrationCar): EmailContent {
  const link = page(config, '/email/verify', { code, vin: from.vin, userId: from.userId })
  return {
    subject: sentence`Verify your email`,
    lines: [sentence`Please confirm that this email address is yours. The link works for 24 hours.`],
    button: { label: 'Verify my email', href: link },
    after: [
      sentence`If you did not sign up at Keyturn, you can ignore this email: nothing happens unless the link is opened.`,
    ],
  }
}

export function registrationAttemptEmail(config: Config): EmailContent {
  return {
    subject: sentence`You already have an account`,
    lines: [
      sentence`Someone just tried to use this email address for a Keyturn account. It already has one.`,
      sentence`If it was you, sign in, or choose a new password if you have forgotten yours.`,
    ],
    button: { label: 'Choose a new password', href: page(config, '/password/forgot') },
    after: [
      sentence`If it was not you, you don’t need to do anything. Nobody was given access to your account.`,
    ],
  }
}

/** `exp` is only displayed by the page; the server uses its own clock (R-accounts-17). */
export function passwordResetEmail(config: Config, code: string, expiresAt: Date): EmailContent {
  const link = page(config, '/password/reset', { code, exp: String(expiresAt.getTime()) })
  return {
    subject: sentence`Choose a new password`,
    lines: [sentence`You asked for a link to choose a new password. It works once, within one hour.`],
    button: { label: 'Choose a new password', href: link },
    after: [sentence`If you did not ask for this, you can ignore this email: your password stays the same.`],
  }
}

/** The code signs in, so it is in the fragment, which no proxy or log receives (R-accounts-19). */
export function loginLinkEmail(config: Config, code: string): EmailContent {
  return {
    subject: sentence`Was this you?`,
    lines: [
      sentence`Someone entered the wrong password for your Keyturn account several times, so new attempts are briefly paused.`,
      sentence`If it was you, sign in with this link. It works once, within 15 minutes.`,
    ],
    button: { label: 'Sign in', href: `${page(config, '/login/link')}#code=${code}` },
    after: [
      sentence`If it was not you, you don’t need to do anything. Nobody was given access to your account.`,
    ],
  }
}

/**
 * A reset also removes the passkeys, because a stranger may have added one (R-accounts-45). Either
 * revokes the tokens (R-accounts-72).
 */
export function passwordChangedEmail(
  config: Config,
  { removedPasskeys = false, revokedTokens }: { removedPasskeys?: boolean; revokedTokens: boolean },
): EmailContent {
  return {
    subject: sentence`Your password was changed`,
    lines: [
      sentence`The password of your Keyturn account was changed, and all other devices were signed out.`,
      ...(removedPasskeys
        ? [sentence`Its passkeys were removed. You can add new ones in your settings.`]
        : []),
      ...(revokedTokens
        ? [sentence`Its access tokens were revoked. Programs that use one need a new token.`]
        : []),
    ],
    button: resetButton(config),
    after: [sentence`If you changed it yourself, you don’t need to do anything.`],
  }
}

const removesPasskeys = sentence`If this was not you, reset your password with the button below. That also removes all passkeys and signs out all devices.`

export function passkeyAddedEmail(config: Config, name: string): EmailContent {
  return {
    subject: sentence`A passkey was added to your account`,
    lines: [
      sentence`Someone who was signed in to your Keyturn account added the passkey “${name}”. It can be used to sign in without the password.`,
      removesPasskeys,
    ],
    button: resetButton(config),
    after: [sentence`If you added it yourself, you don’t need to do anything.`],
  }
}

export function passkeyRemovedEmail(config: Config, name: string): EmailContent {
  return {
    subject: sentence`A passkey was removed from your account`,
    lines: [
      sentence`The passkey “${name}” was removed from your Keyturn account and no longer signs in. Your password still works.`,
      removesPasskeys,
    ],
    button: resetButton(config),
    after: [sentence`If you removed it yourself, you don’t need to do anything.`],
  }
}

/** Resetting the password revokes the token again (R-accounts-72). */
export function tokenCreatedEmail(config: Config, name: string): EmailContent {
  return {
    subject: sentence`A new access token for your account`,
    lines: [
      sentence`The access token “${name}” was created in the settings of your Keyturn account. A program that has it can act in your name, within the scopes that were chosen.`,
      sentence`If this was not you, reset your password with the button below. That also revokes all access tokens and signs out all devices.`,
    ],
    button: resetButton(config),
    after: [sentence`If you created it yourself, you don’t need to do anything.`],
  }
}

export function addressChangingEmail(config: Config, newAddress: string): EmailContent {
  return {
    subject: sentence`Your email address is about to change`,
    lines: [
      sentence`Someone who was signed in to your Keyturn account asked to change its email address to ${newAddress}.`,
      sentence`The new address takes effect once it is verified. Until then, this one remains in use.`,
    ],
    button: resetButton(config),
    after: [sentence`If it was you, open the link in the email we sent to the new address.`],
  }
}

export function sessionEndedEmail(config: Config): EmailContent {
  return {
    subject: sentence`We signed you out for safety`,
    lines: [
      sentence`A browser tried to use an old session of your account that was no longer valid. Someone may have copied it, so we ended that session.`,
      sentence`Please sign in again. If anything looks unfamiliar, choose a new password.`,
    ],
    button: { label: 'Choose a new password', href: page(config, '/password/forgot') },
  }
}

export function wholesalerApprovedEmail(config: Config): EmailContent {
  return {
    subject: sentence`Your wholesaler account is approved`,
    lines: [sentence`You can now see trades and make offers.`],
    button: { label: 'Open Keyturn', href: page(config, '/wholesaler') },
  }
}

export function wholesalerDeclinedEmail(): EmailContent {
  return {
    subject: sentence`About your wholesaler account`,
    lines: [sentence`Your wholesaler account was not approved, so it cannot see trades or make offers.`],
    after: [
      sentence`If you think this is a mistake, please write to the address under Contact on our home page.`,
    ],
  }
}

/** Says why, whom to write to, and what happens with listings and deals (R-accounts-62). */
export function accountSuspendedEmail({ reason, note, writeTo }: SuspensionFacts): EmailContent {
  return {
    subject: sentence`Your account is suspended`,
    lines: [
      ownSentence(`Your account is suspended. ${reasonSentences[reason]}`),
      ...(note ? [sentence`${note}`] : []),
      ownSentence(suspensionTexts.email.listings),
      ownSentence(suspensionTexts.email.agreements),
    ],
    after: [ownSentence(askSentence(writeTo))],
  }
}

export function suspensionLiftedEmail(config: Config): EmailContent {
  return {
    subject: sentence`Your account is active again`,
    lines: [
      sentence`Your Keyturn account is no longer suspended. Your listings are visible again, and your deals and offers resume where they left off, unless they have ended in the meantime.`,
      sentence`If you used access tokens, they stay revoked. You can create new ones in your settings.`,
    ],
    button: { label: 'Sign In', href: page(config, '/login') },
  }
}

export function accountDeletedEmail(): EmailContent {
  return {
    subject: sentence`Your account was deleted`,
    lines: [
      sentence`Your Keyturn account was deleted and your personal data was erased, as you asked. Agreements that both sides signed are kept for the other side.`,
      sentence`Thank you for using Keyturn.`,
    ],
  }
}

type SignInPlace = { ip: string }

/** To the operator's address, for each sign-in with the password from the server configuration. */
export const settingsSignInEmail = (config: Config, username: string, at: SignInPlace): EmailContent => ({
  subject: sentence`Someone signed in with ADMIN_PASSWORD`,
  lines: [
    sentence`${username} signed in as administrator from ${at.ip}.`,
    sentence`This password is for the first administrator and for emergencies. If you did not expect this, change ADMIN_PASSWORD and restart the servers, which ends the session.`,
  ],
  button: { label: 'Open the Audit Log', href: page(config, '/dev', { tab: 'administrators' }) },
})

export const unknownNetworkEmail = (config: Config, username: string, at: SignInPlace): EmailContent => ({
  subject: sentence`An administrator signed in from a new network`,
  lines: [
    sentence`${username} signed in from ${at.ip}, where this administrator had not signed in before.`,
    sentence`If you did not expect this, disable the account and check the audit log.`,
  ],
  button: { label: 'Open the Audit Log', href: page(config, '/dev', { tab: 'administrators' }) },
})

export const wrongCodeEmail = (config: Config, username: string, at: SignInPlace): EmailContent => ({
  subject: sentence`Someone with an administrator’s password entered a wrong code`,
  lines: [
    sentence`Someone at ${at.ip} entered the right password of ${username} and a wrong code of the authenticator app. Nobody was signed in.`,
    sentence`If nobody mistyped a code, someone knows the password. Replace it: invite this administrator again at /dev or, for the administrator from the server configuration, change ADMIN_PASSWORD and restart the servers.`,
  ],
  button: { label: 'Open the Audit Log', href: page(config, '/dev', { tab: 'administrators' }) },
})

const resetButton = (config: Config) => ({
  label: 'This was not me',
  href: page(config, '/password/forgot'),
})

/** Always uses the configured origin, never one from a request. */
function page(config: Config, path: string, query: Record<string, string | null> = {}): string {
  const url = new URL(path, config.publicUrl)
  for (const [name, value] of Object.entries(query)) if (value) url.searchParams.set(name, value)
  return url.href
}
