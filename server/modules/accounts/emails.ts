import type { Config } from '../../config.ts'
import type { EmailContent } from '../../platform/mail/email-content.ts'
import { sentence } from '../../platform/mail/sentence.ts'

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

export function passwordChangedEmail(config: Config): EmailContent {
  return {
    subject: sentence`Your password was changed`,
    lines: [
      sentence`The password of your Keyturn account was changed, and all other devices were signed out.`,
    ],
    button: { label: 'This was not me', href: page(config, '/password/forgot') },
    after: [sentence`If you changed it yourself, you don’t need to do anything.`],
  }
}

export function addressChangingEmail(config: Config, newAddress: string): EmailContent {
  return {
    subject: sentence`Your email address is about to change`,
    lines: [
      sentence`Someone who was signed in to your Keyturn account asked to change its email address to ${newAddress}.`,
      sentence`The new address takes effect once it is verified. Until then, this one remains in use.`,
    ],
    button: { label: 'This was not me', href: page(config, '/password/forgot') },
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

export function accountDeletedEmail(): EmailContent {
  return {
    subject: sentence`Your account was deleted`,
    lines: [
      sentence`Your Keyturn account was deleted and your personal data was erased, as you asked. Agreements that both sides signed are kept for the other side.`,
      sentence`Thank you for using Keyturn.`,
    ],
  }
}

/** Always uses the configured origin, never one from a request. */
function page(config: Config, path: string, query: Record<string, string | null> = {}): string {
  const url = new URL(path, config.publicUrl)
  for (const [name, value] of Object.entries(query)) if (value) url.searchParams.set(name, value)
  return url.href
}
