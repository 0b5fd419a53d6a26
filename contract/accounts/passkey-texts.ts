import { type ErrorTable, errorFactories } from '../shared/error.ts'

const refusalTable = {
  /** The same for every reason, so that it says nothing about accounts (R-accounts-44). */
  InvalidPasskey: [401, 'This passkey could not be used. Please try again, or log in with your password.'],
  PasskeyNotAdded: [400, 'The passkey could not be added. Please try again.'],
  TooManyPasskeys: [409, 'An account can have 10 passkeys. Please remove one first.'],
} as const satisfies ErrorTable

declare module '../shared/error.ts' {
  interface ErrorCodes extends Record<keyof typeof refusalTable, true> {}
}

export const passkeyErrors = errorFactories(refusalTable)

export const passkeyTexts = {
  unreadable: 'This passkey could not be read. Please try again.',
  nameRequired: 'Please enter a name of up to 60 characters.',

  signIn: 'Sign In With a Passkey',
  signInCanceled: 'No passkey was used. Please try again, or log in with your password.',
  unsupported: 'This browser cannot use passkeys.',

  title: 'Passkeys',
  lead: 'Sign in with your fingerprint, face or PIN instead of your password. Your password keeps working.',
  unavailable: 'Passkeys need a web address with a name. They do not work at a numeric address.',
  loadFailed: 'Your passkeys could not be loaded. Please try again.',
  none: 'You have no passkeys yet.',
  add: 'Add a Passkey',
  addLead: 'Your device will ask for your fingerprint, face or PIN.',
  addFailed: 'The passkey could not be added. Please try again.',
  addCanceled: 'No passkey was added.',
  alreadyThere: 'This device already has a passkey for your account.',
  added: (name: string) => `The passkey “${name}” was added.`,
  facts: (added: string, used: string | null) =>
    used === null ? `Added ${added}. Not used yet.` : `Added ${added}. Last used ${used}.`,

  rename: 'Rename',
  renameOf: (name: string) => `Rename “${name}”`,
  renameTitle: 'Rename Passkey',
  name: 'Name',
  save: 'Save',
  saveFailed: 'The name could not be saved. Please try again.',
  renamed: 'The name was saved.',

  remove: 'Remove',
  removeOf: (name: string) => `Remove “${name}”`,
  removeTitle: 'Remove Passkey',
  removeQuestion: (name: string) =>
    `“${name}” will no longer sign you in. You can also delete it from the device or password manager that stores it.`,
  removeFailed: 'The passkey could not be removed. Please try again.',
  removed: (name: string) => `The passkey “${name}” was removed.`,

  offerTitle: 'Sign in faster next time',
  offer:
    'With a passkey, you use your fingerprint, face or PIN instead of your password. You can always add one in your settings.',
  offerDecline: 'No Thanks',
} as const
